\ values chosen by flag, a loop of so many turns, and one that each row leaves in its own time
: SIGNED ( r -- r ) DUP 0> IF SQRT ELSE NEGATE THEN ;
: SUMMED ( r:4 -- r ) { x } 0 { s } 4 0 DO x I AT s + TO s LOOP s ;
: HALVED ( r -- r ) { x } BEGIN x 1 > WHILE x 2/ TO x REPEAT x ;
: OBJECTIVE ( r:b:4 -- r ) SUMMED SIGNED HALVED SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == graph
\ graph OBJECTIVE
\   %0 = input 0 : r:b:4  run
\   %1 = known 0x0.0p+0 : r  run
\   %2 = known 0x1.0000000000000p+2 : r  run
\   %3 = known 0x0.0p+0 : r  run
\   %4 = loop 4 turns carrying %3 %1 : r  run
\   %5 = carried 0 of %4 : r:b  run
\   %6 = carried 1 of %4 : r  run
\   %7 = at %0 %6 4 1 : r:b  run
\   %8 = add %7 %5 : r:b  run
\   %9 = known 0x1.0000000000000p+0 : r  run
\   %10 = add %6 %9 : r  run
\   %11 = is_lt %10 %2 : f  run
\   %12 = known 0x0.0p+0 : r  run
\   %13 = end of %4 %8 %10 : r  run
\   %14 = result 0 of %13 : r:b  run
\   %15 = result 1 of %13 : r  run
\   %16 = known 0x0.0p+0 : r  run
\   %17 = is_gt %14 %16 : f:b  run
\   %18 = sqrt %14 : r:b  run
\   %19 = not %17 : f:b  run
\   %20 = negate %14 : r:b  run
\   %21 = choose %17 %18 %20 : r:b  run
\   %22 = true  : f  run
\   %23 = known 0x0.0p+0 : r  run
\   %24 = false  : f  run
\   %25 = loop while 2 carrying %24 %21 %22 %23 : r  run
\   %26 = carried 0 of %25 : f:b  run
\   %27 = carried 1 of %25 : r:b  run
\   %28 = carried 2 of %25 : f:b  run
\   %29 = carried 3 of %25 : r  run
\   %30 = known 0x1.0000000000000p+0 : r  run
\   %31 = is_gt %27 %30 : f:b  run
\   %32 = not %31 : f:b  run
\   %33 = and %28 %32 : f:b  run
\   %34 = and %28 %31 : f:b  run
\   %35 = known 0x1.0000000000000p-1 : r  run
\   %36 = mul %27 %35 : r:b  run
\   %37 = true  : f  run
\   %38 = choose %33 %27 %36 : r:b  run
\   %39 = not %33 : f:b  run
\   %40 = and %34 %39 : f:b  run
\   %41 = choose %28 %38 %27 : r:b  run
\   %42 = true  : f  run
\   %43 = and %28 %40 : f:b  run
\   %44 = and %43 %37 : f:b  run
\   %45 = known 0x1.0000000000000p+0 : r  run
\   %46 = add %29 %45 : r  run
\   %47 = setting loop_limit : r  run
\   %48 = is_lt %46 %47 : f  run
\   %49 = not %48 : f  run
\   %50 = and %44 %49 : f:b  run
\   %51 = or %26 %50 : f:b  run
\   %52 = and %44 %48 : f:b  run
\   %53 = false  : f  run
\   %54 = end of %25 %51 %41 %52 %46 : r  run
\   %55 = result 0 of %54 : f:b  run
\   %56 = result 1 of %54 : r:b  run
\   %57 = result 2 of %54 : f:b  run
\   %58 = result 3 of %54 : r  run
\   %59 = known nan : r  run
\   %60 = choose %55 %59 %56 : r:b  run
\   %61 = batch-sum %60 : r  run
\   leave %61
