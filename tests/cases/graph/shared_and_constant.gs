\ one set of weights, sizes from a CONSTANT, arithmetic done while compiling
2 3 * CONSTANT HIDDEN
: L ( r:k -- r:k ) k LINEAR TRAINABLE ; SHARED
: OBJECTIVE ( r:b:4 -- r ) HIDDEN LINEAR L 1 2 / * L HIDDEN 1+ / SUM 0.5 3 * + MEAN ;
: MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == graph
\ graph L
\   parameter p0 matrix r:6:6 trainable
\   %0 = input 0 : r:b:6  run
\   %1 = linear-mean p0 %0 : r:b:6  epoch
\   %2 = linear-noise p0 %0 : r:b:6  pair
\   %3 = linear-join p0 %2 %1 : r:b:6  member
\   leave %3
\ graph L
\   parameter p0 matrix r:6:6 trainable
\   %0 = input 0 : r:b:6  member
\   %1 = linear-perturbed p0 %0 : r:b:6  member
\   leave %1
\ graph OBJECTIVE
\   parameter p0 matrix r:6:4 fixed
\   %0 = input 0 : r:b:4  run
\   %1 = linear-mean p0 %0 : r:b:6  run
\   %2 = call gs_u_L_93b3779b %1 : r:b:6  member
\   %3 = known 0x1.0000000000000p-1 : r  run
\   %4 = mul %2 %3 : r:b:6  member
\   %5 = call gs_u_L_61139f83 %4 : r:b:6  member
\   %6 = known 0x1.c000000000000p+2 : r  run
\   %7 = div %5 %6 : r:b:6  member
\   %8 = reduce-sum %7 : r:b  member
\   %9 = known 0x1.0000000000000p-1 : r  run
\   %10 = known 0x1.8000000000000p+1 : r  run
\   %11 = known 0x1.8000000000000p+0 : r  run
\   %12 = add %8 %11 : r:b  member
\   %13 = batch-mean %12 : r  member
\   leave %13
