// Flags of operations that have none, or others.
func.func @main() {
  %i = arith.constant 3 : i32
  %x = arith.constant 3.0 : f32
  %z = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %v = arith.constant dense<1.0> : vector<4xf32>
  %t = arith.constant dense<1.0> : tensor<4xf32>
  // expected-error@+1 {{`arith.addi` has no flag `fastmath`}}
  %r0 = arith.addi %i, %i fastmath<fast> : i32
  // expected-error@+1 {{`arith.cmpi` has no flag `fastmath`}}
  %r1 = arith.cmpi slt, %i, %i fastmath<fast> : i32
  // expected-error@+1 {{`math.absi` has no flag `fastmath`}}
  %r2 = math.absi %i fastmath<fast> : i32
  // expected-error@+1 {{`math.ctpop` has no flag `fastmath`}}
  %r3 = math.ctpop %i fastmath<fast> : i32
  // expected-error@+1 {{`math.ipowi` has no flag `fastmath`}}
  %r4 = math.ipowi %i, %i fastmath<fast> : i32
  // expected-error@+1 {{`math.isnan` has no flag `fastmath`}}
  %r5 = math.isnan %x fastmath<fast> : f32
  // expected-error@+1 {{`complex.eq` has no flag `fastmath`}}
  %r6 = complex.eq %z, %z fastmath<fast> : complex<f32>
  // expected-error@+1 {{`arith.bitcast` has no flag `fastmath`}}
  %r7 = arith.bitcast %i fastmath<fast> : i32 to f32
  // expected-error@+1 {{`arith.fptosi` has no flag `fastmath`}}
  %r8 = arith.fptosi %x fastmath<fast> : f32 to i32
  // expected-error@+1 {{`arith.sitofp` has no flag `fastmath`}}
  %r9 = arith.sitofp %i fastmath<fast> : i32 to f32
  // expected-error@+1 {{`arith.mulf` has no flag `overflow`}}
  %r10 = arith.mulf %x, %x overflow<nsw> : f32
  // expected-error@+1 {{`arith.andi` has no flag `overflow`}}
  %r11 = arith.andi %i, %i overflow<nsw> : i32
  // expected-error@+1 {{`arith.divsi` has no flag `overflow`}}
  %r12 = arith.divsi %i, %i overflow<nsw> : i32
  // expected-error@+1 {{`arith.shrui` has no flag `overflow`}}
  %r13 = arith.shrui %i, %i overflow<nsw> : i32
  // expected-error@+1 {{`arith.maxsi` has no flag `overflow`}}
  %r14 = arith.maxsi %i, %i overflow<nsw> : i32
  // expected-error@+1 {{`math.sqrt` has no flag `overflow`}}
  %r15 = math.sqrt %x overflow<nsw> : f32
  // expected-error@+1 {{`arith.index_cast` has no flag `overflow`}}
  %r16 = arith.index_cast %i overflow<nsw> : i32 to index
  // expected-error@+1 {{`vector.reduction` has no flag `overflow`}}
  %r17 = vector.reduction <add>, %v overflow<nsw> : vector<4xf32> into f32
  // expected-error@+1 {{`arith.extui` has no flag `nneg`}}
  %r18 = arith.extui %i nneg : i32 to i64
  // expected-error@+1 {{`arith.extsi` has no flag `nneg`}}
  %r19 = arith.extsi %i nneg : i32 to i64
  // expected-error@+1 {{`arith.uitofp` has no flag `nneg`}}
  %r20 = arith.uitofp %i nneg : i32 to f32
  // expected-error@+1 {{`arith.addi` has no flag `exact`}}
  %r21 = arith.addi %i, %i exact : i32
  // expected-error@+1 {{`arith.ori` has no flag `disjoint`}}
  %r22 = arith.ori %i, %i disjoint : i32
  // expected-error@+1 {{`arith.extf` has no flag `upward`}}
  %r23 = arith.extf %x upward : f32 to f64
  // expected-error@+1 {{`tensor.cast` has no flag `exact`}}
  %r24 = tensor.cast %t exact : tensor<4xf32> to tensor<?xf32>
  // expected-error@+1 {{`arith.addf` takes `fastmath` once}}
  %r25 = arith.addf %x, %x fastmath<fast> fastmath<fast> : f32
  // expected-error@+1 {{`arith.truncf` has no flag `upward`}}
  %r26 = arith.truncf %x fastmath<fast> upward : f32 to f16
  // expected-error@+1 {{there is no flag `nsx`}}
  %r27 = arith.addi %i, %i overflow<nsx> : i32
  // expected-error@+1 {{`fastmath` is `#arith.fastmath<...>` of `none`}}
  %r28 = arith.addf %x, %x {fastmath = 3} : f32
  // expected-error@+1 {{`overflowFlags` is `#arith.overflow<...>` of `none`, `nsw`, `nuw`}}
  %r29 = "arith.addi"(%i, %i) {overflowFlags = #arith.fastmath<none>} : (i32, i32) -> i32
  // expected-error@+1 {{`overflowFlags` is `#arith.overflow<...>`}}
  %r30 = "arith.addi"(%i, %i) <{overflowFlags = #arith.overflow<nsw, foo>}> : (i32, i32) -> i32
  // expected-error@+1 {{`isExact` is a name without a value}}
  %r31 = arith.divui %i, %i {isExact = 3} : i32
  return
}
