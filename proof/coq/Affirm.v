(* The lemmas and definitions that the theorems of `affirm prove --coq` use, over Z with Coq's own
   division (rounded down), modulo, minimum, maximum and gcd. The names are those of docs/certificates.md. *)
Require Export ZArith Lia.
Open Scope Z_scope.

Lemma split_lemma : forall M d k : Z,
  -M >= 0 \/ (d - k >= 0 /\ M*d - k*M >= 0) \/ (k - 1 - d >= 0 /\ (k - 1)*M - M*d >= 0).
Proof.
  intros M d k. destruct (Z_le_gt_dec M 0); [left; lia | right].
  destruct (Z_ge_lt_dec d k); [left | right]; split; try lia; nia.
Qed.

Lemma product_lemma : forall p r : Z, -p - 1 >= 0 \/ -r - 1 >= 0 \/ p*r >= 0.
Proof. intros p r. destruct (Z_lt_ge_dec p 0), (Z_lt_ge_dec r 0); try lia; right; right; nia. Qed.

Lemma zero_lemma : forall e t : Z, e - 1 >= 0 \/ -e - 1 >= 0 \/ e*t = 0.
Proof. intros e t. destruct (Z.eq_dec e 0) as [E | E]; [right; right; rewrite E; reflexivity | lia]. Qed.

Lemma integer_lemma : forall p : Z, p >= 0 \/ -p - 1 >= 0.
Proof. intros; lia. Qed.

(* A quotient by its defining inequalities. The first part applies to any operands that are equal to A and B. *)
Lemma floordiv_define : forall A B : Z, exists q : Z, (forall x c, x = A -> c = B -> x / c = q) /\
  (-B >= 0 \/ (A - B*q >= 0 /\ B - 1 - A + B*q >= 0)).
Proof.
  intros A B. exists (A / B). split; [intros x c Ex Ec; rewrite Ex, Ec; reflexivity |].
  destruct (Z_le_gt_dec B 0); [left; lia | right].
  pose proof (Z.mul_div_le A B ltac:(lia)). pose proof (Z.mul_succ_div_gt A B ltac:(lia)). nia.
Qed.

Lemma positive_define : forall A : Z, exists p : Z, p = Z.max A 0 /\ ((p = 0 /\ -A >= 0) \/ (p - A = 0 /\ A >= 0)).
Proof. intros A. exists (Z.max A 0). lia. Qed.

Lemma gcd_define : forall A B : Z, exists g a b s t : Z, (forall x y, x = A -> y = B -> Z.gcd x y = g) /\
  g >= 0 /\ A - g*a = 0 /\ B - g*b = 0 /\ s*a + t*b - 1 = 0.
Proof.
  intros A B. destruct (Z.eq_dec (Z.gcd A B) 0) as [Z0 | NZ].
  - exists 0, 1, 0, 1, 0. pose proof (Z.gcd_eq_0_l _ _ Z0). pose proof (Z.gcd_eq_0_r _ _ Z0).
    repeat split; try lia. intros x y Ex Ey; rewrite Ex, Ey; exact Z0.
  - destruct (Z.gcd_divide_l A B) as [a Ea], (Z.gcd_divide_r A B) as [b Eb].
    destruct (Z.gcd_bezout A B (Z.gcd A B) eq_refl) as [s [t Es]].
    exists (Z.gcd A B), a, b, s, t. pose proof (Z.gcd_nonneg A B).
    repeat split; try lia. { intros x y Ex Ey; rewrite Ex, Ey; reflexivity. }
    set (g := Z.gcd A B) in *. clearbody g.
    assert (g * (s*a + t*b - 1) = 0) by (rewrite Ea, Eb in Es; nia).
    destruct (Z.mul_eq_0 g (s*a + t*b - 1)) as [M _]. destruct (M H0); lia.
Qed.

Lemma gcd_equal : forall x y : Z, x = y -> Z.gcd x y = Z.abs x.
Proof.
  intros x y E. rewrite <- E, <- (Z.gcd_abs_l x x), <- (Z.gcd_abs_r (Z.abs x) x).
  apply Z.gcd_diag_nonneg, Z.abs_nonneg.
Qed.

Lemma poly_define : forall A : Z, exists h : Z, h - A = 0.
Proof. intros A. exists A. lia. Qed.

(* Replaces a term of the rule by its polynomial. *)
Lemma mod_is : forall x c q r : Z, x / c = q -> x - c*q = r -> x mod c = r.
Proof.
  intros x c q r Q R. destruct (Z.eq_dec c 0) as [E | E]; [| rewrite Z.mod_eq, Q by exact E; exact R].
  rewrite E in *. rewrite Zmod_0_r. lia.
Qed.

(* A quotient that is a number, 0 or the numerator, once the operands are the polynomials A and B. *)
Ltac quotient_of_polynomials :=
  first [apply Z.div_1_r | reflexivity | rewrite Z.div_1_r; ring | apply Zdiv_0_l].
Ltac quotient_is A B :=
  first [quotient_of_polynomials | transitivity (A / B); [f_equal; ring | quotient_of_polynomials]].

(* An obligation is proved by refuting its negation. *)
Lemma refute_ge : forall a b : Z, (b - a - 1 >= 0 -> False) -> a >= b.
Proof. intros; lia. Qed.
Lemma refute_le : forall a b : Z, (a - b - 1 >= 0 -> False) -> a <= b.
Proof. intros; lia. Qed.
Lemma refute_eq : forall a b : Z, (a - b - 1 >= 0 -> False) -> (b - a - 1 >= 0 -> False) -> a = b.
Proof. intros; lia. Qed.
Lemma not_equal : forall a b : Z, a <> b -> a - b - 1 >= 0 \/ b - a - 1 >= 0.
Proof. intros; lia. Qed.
