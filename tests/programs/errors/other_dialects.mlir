// Attributes and types of dialects that MLIR does not have. Attributes may have any names.

// expected-error@+1 {{MLIR has no dialect `foo`, of which `#foo.baz<1>` is}}
#a = #foo.baz<1>
// expected-error@+1 {{MLIR has no dialect `foo`, of which `!foo.bar` is}}
!t = !foo.bar

// expected-error@+1 {{MLIR has no dialect `foo`, of which `#foo<"baz 1">` is}}
module attributes {foo.name = 1, foo.value = #foo<"baz 1">} {
  func.func @uses_them(%x: !t) {
    %0 = arith.constant {foo.t = #a} 1 : i32
    return
  }
  // expected-error@+1 {{MLIR has no dialect `lvm`, of which `!lvm.ptr` is}}
  func.func @slip(%x: !lvm.ptr) attributes {foo.name = "text"} {
    return
  }
  func.func @operation() {
    // expected-error@+1 {{MLIR has no dialect `foo`, of which `#foo.one` is}}
    %0 = arith.constant {foo.t = #foo.one} 1 : i32
    return
  }
}
