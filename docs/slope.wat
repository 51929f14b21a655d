;; The slope of the line through (km, fare), by least squares.
(module
  (global $n (mut f64) (f64.const 0))
  (global $x (mut f64) (f64.const 0))
  (global $y (mut f64) (f64.const 0))
  (global $xx (mut f64) (f64.const 0))
  (global $xy (mut f64) (f64.const 0))

  ;; Called once for each row of a block. NULL comes as NaN, which is not equal to itself.
  (func (export "row") (param $km f64) (param $fare f64)
    (if (f64.ne (f64.add (local.get $km) (local.get $fare)) (f64.add (local.get $km) (local.get $fare)))
      (then (return)))
    (global.set $n (f64.add (global.get $n) (f64.const 1)))
    (global.set $x (f64.add (global.get $x) (local.get $km)))
    (global.set $y (f64.add (global.get $y) (local.get $fare)))
    (global.set $xx (f64.add (global.get $xx) (f64.mul (local.get $km) (local.get $km))))
    (global.set $xy (f64.add (global.get $xy) (f64.mul (local.get $km) (local.get $fare)))))

  ;; Called at the end. Of fewer than two rows it is 0/0, NaN: then the default stands.
  (func (export "slope") (result f64)
    (f64.div
      (f64.sub (f64.mul (global.get $n) (global.get $xy)) (f64.mul (global.get $x) (global.get $y)))
      (f64.sub (f64.mul (global.get $n) (global.get $xx)) (f64.mul (global.get $x) (global.get $x))))))
