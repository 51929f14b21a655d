;; Short rides and long ones: which of the two a row is. Run on each row by itself (--per row).
(module
  (global $km (mut f64) (f64.const nan))

  (func (export "row") (param $km f64) (param $fare f64)
    (global.set $km (local.get $km)))

  ;; 1 where it is so, NaN where it is not: NaN adds nothing. NULL is NaN, and neither short nor long.
  (func (export "short") (result f64)
    (select (f64.const 1) (f64.const nan) (f64.lt (global.get $km) (f64.const 5))))
  (func (export "long") (result f64)
    (select (f64.const 1) (f64.const nan) (f64.ge (global.get $km) (f64.const 5)))))
