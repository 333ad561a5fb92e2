/* The mode follows from channel_id and use_global_device_ids; operations without the second
 * attribute (all-to-all, permute, broadcast) use partitions if they have a channel. */
#include "core/hlo/devices.h"

#include "core/base/checked.h"
#include "core/hlo/header.h"

static bool has_global_ids(Opcode opcode) {
  return opcode == HLO_ALL_REDUCE || opcode == HLO_ALL_REDUCE_START || opcode == HLO_ALL_GATHER ||
         opcode == HLO_ALL_GATHER_START || opcode == HLO_REDUCE_SCATTER;
}

bool device_mode(const Instruction *collective, DeviceMode *mode) {
  bool has_channel = collective->channel_id >= 0;
  if (!has_channel) *mode = DEVICE_REPLICAS;
  else if (!has_global_ids(collective->opcode)) *mode = DEVICE_PARTITIONS;
  else
    *mode = collective->use_global_device_ids ? DEVICE_FLATTENED : DEVICE_REPLICAS_ALL_PARTITIONS;
  return has_channel || !collective->use_global_device_ids;
}

int64_t device_id_count(const Module *module, const Instruction *collective) {
  DeviceMode mode;
  int64_t count = 0;
  if (!device_mode(collective, &mode)) return 0;
  switch (mode) {
    case DEVICE_REPLICAS:
    case DEVICE_REPLICAS_ALL_PARTITIONS: count = module->replicas; break;
    case DEVICE_PARTITIONS: count = module->partitions; break;
    case DEVICE_FLATTENED:
      if (!mul64(module->replicas > 0 ? module->replicas : 1,
              module->partitions > 0 ? module->partitions : 1, &count))
        return 0;
      break;
  }
  return count > 1 ? count : 0;
}

static int64_t stated_number(const Module *module, const char *name) {
  Slice value;
  if (!header_value(module, name, &value) || value.length > 18) return 0;
  int64_t number = 0;
  for (size_t i = 0; i < value.length; i++) {
    if (value.text[i] < '0' || value.text[i] > '9') return 0;
    number = 10 * number + (value.text[i] - '0');
  }
  return number;
}

void hlo_read_devices(Module *module) {
  module->replicas = stated_number(module, "replica_count");
  module->partitions = stated_number(module, "num_partitions");
}
