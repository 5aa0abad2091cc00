// Symbols of modules.
module @a {
  module @b {
  }
  // expected-error@+1 {{`@b` is defined twice}}
  module @b {
  }
  module @a {
  }
  func.func private @c()
}
// expected-error@+1 {{`@a` is defined twice}}
module @a {
  module @c {
  }
}
// expected-error@+1 {{`@d` is defined twice}}
module @d {
}
func.func private @d()
// -----
module @a {
}
