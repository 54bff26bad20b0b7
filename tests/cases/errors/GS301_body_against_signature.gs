\ bodies that do not leave what their signatures declare
: NARROW ( r:k -- r:k ) 3 LINEAR TRAINABLE ;
: FEW ( r:4 -- r r ) SUM ;
: MANY ( r:4 -- r ) DUP SUM ;
: NOTHING ( -- r ) ;
: TOKEN ( -- n ) ['] NARROW ;
: OBJECTIVE ( r:b:4 -- r ) NARROW SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS301_body_against_signature.gs:2:10: error GS301: the body does not leave what the signature of `NARROW` declares
\ : NARROW ( r:k -- r:k ) 3 LINEAR TRAINABLE ;
\          ^^^^^^^^^^^^^^
\   declared ( r:k -- r:k )
\   inferred ( r:k -- r:3 )
\   help: `r:k` does not take r:3 (k = 4)
\   in NARROW at GS301_body_against_signature.gs:7:28
\ GS301_body_against_signature.gs:3:7: error GS301: the body does not leave what the signature of `FEW` declares
\ : FEW ( r:4 -- r r ) SUM ;
\       ^^^^^^^^^^^^^^
\   declared ( r:4 -- r r )
\   inferred ( r:4 -- r )
\   help: `FEW` leaves one value, its signature says 2
\ GS301_body_against_signature.gs:4:8: error GS301: the body does not leave what the signature of `MANY` declares
\ : MANY ( r:4 -- r ) DUP SUM ;
\        ^^^^^^^^^^^^
\   declared ( r:4 -- r )
\   inferred ( r:4 -- r:4 r )
\   help: `MANY` leaves 2 values, its signature says 1
\ GS301_body_against_signature.gs:5:11: error GS301: the body does not leave what the signature of `NOTHING` declares
\ : NOTHING ( -- r ) ;
\           ^^^^^^^^
\   declared ( -- r )
\   inferred ( -- )
\   help: `NOTHING` leaves no value, its signature says 1
\ GS301_body_against_signature.gs:6:9: error GS301: the body does not leave what the signature of `TOKEN` declares
\ : TOKEN ( -- n ) ['] NARROW ;
\         ^^^^^^^^
\   declared ( -- n )
\   inferred ( -- xt )
\   help: `n` does not take xt
\ GS301_body_against_signature.gs:7:13: error GS301: the body does not leave what the signature of `OBJECTIVE` declares
\ : OBJECTIVE ( r:b:4 -- r ) NARROW SUM ;
\             ^^^^^^^^^^^^^^
\   declared ( r:b:4 -- r )
\   inferred ( r:b:4 -- r:b )
\   help: `r` takes one value for all rows, not r:b; one more MEAN (or SUM) reduces the batch
\ 6 errors
