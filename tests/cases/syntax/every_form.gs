\ every form that a program can have, once
INCLUDE <nn>
INCLUDE "parts/own words.gs"
TARGET-CPU
8 CONSTANT HIDDEN   HIDDEN 2* 1_000 + CONSTANT TWICE
"a \"b\" \\ c" CONSTANT PATH
( a comment that
  runs over lines ( with : words ; in it )
: SCALE ( x:r:b:100 k:n label:f -- <layer> y:f:k ) { x k } x 2.5E+4 * -.5 1. + k ; SHARED
['] SCALE (SHARED)
: LOOPS ( r:* n -- r )   \ a comment at the end of a line
  ( and one inside ) 10 0 DO I LOOP 3 1 ?DO J LEAVE -1 +LOOP
  BEGIN DUP 0 > UNTIL BEGIN TRUE WHILE { r } r 1 + TO r REPEAT
  IF r:28:28 ZEROS ELSE r:HIDDEN r DROP THEN 0< IF THEN ['] SCALE EXECUTE ;
: MAIN ( -- ) ;
\ == tokens
\ 2:1 word INCLUDE
\ 2:9 word <nn>
\ 3:1 word INCLUDE
\ 3:9 string "parts/own words.gs"
\ 4:1 word TARGET-CPU
\ 5:1 word 8
\ 5:3 word CONSTANT
\ 5:12 word HIDDEN
\ 5:21 word HIDDEN
\ 5:28 word 2*
\ 5:31 word 1_000
\ 5:37 word +
\ 5:39 word CONSTANT
\ 5:48 word TWICE
\ 6:1 string "a \"b\" \\ c"
\ 6:16 word CONSTANT
\ 6:25 word PATH
\ 9:1 word :
\ 9:3 word SCALE
\ 9:9 open (
\ 9:11 word x:r:b:100
\ 9:21 word k:n
\ 9:25 word label:f
\ 9:33 word --
\ 9:36 word <layer>
\ 9:44 word y:f:k
\ 9:50 close )
\ 9:52 word {
\ 9:54 word x
\ 9:56 word k
\ 9:58 word }
\ 9:60 word x
\ 9:62 word 2.5E+4
\ 9:69 word *
\ 9:71 word -.5
\ 9:75 word 1.
\ 9:78 word +
\ 9:80 word k
\ 9:82 word ;
\ 9:84 word SHARED
\ 10:1 word [']
\ 10:5 word SCALE
\ 10:11 word (SHARED)
\ 11:1 word :
\ 11:3 word LOOPS
\ 11:9 open (
\ 11:11 word r:*
\ 11:15 word n
\ 11:17 word --
\ 11:20 word r
\ 11:22 close )
\ 12:22 word 10
\ 12:25 word 0
\ 12:27 word DO
\ 12:30 word I
\ 12:32 word LOOP
\ 12:37 word 3
\ 12:39 word 1
\ 12:41 word ?DO
\ 12:45 word J
\ 12:47 word LEAVE
\ 12:53 word -1
\ 12:56 word +LOOP
\ 13:3 word BEGIN
\ 13:9 word DUP
\ 13:13 word 0
\ 13:15 word >
\ 13:17 word UNTIL
\ 13:23 word BEGIN
\ 13:29 word TRUE
\ 13:34 word WHILE
\ 13:40 word {
\ 13:42 word r
\ 13:44 word }
\ 13:46 word r
\ 13:48 word 1
\ 13:50 word +
\ 13:52 word TO
\ 13:55 word r
\ 13:57 word REPEAT
\ 14:3 word IF
\ 14:6 word r:28:28
\ 14:14 word ZEROS
\ 14:20 word ELSE
\ 14:25 word r:HIDDEN
\ 14:34 word r
\ 14:36 word DROP
\ 14:41 word THEN
\ 14:46 word 0<
\ 14:49 word IF
\ 14:52 word THEN
\ 14:57 word [']
\ 14:61 word SCALE
\ 14:67 word EXECUTE
\ 14:75 word ;
\ 15:1 word :
\ 15:3 word MAIN
\ 15:8 open (
\ 15:10 word --
\ 15:13 close )
\ 15:15 word ;

\ == words
\ INCLUDE <nn>
\ INCLUDE "parts/own words.gs"
\ TARGET-CPU
\ 8 CONSTANT HIDDEN
\ HIDDEN 2* 1000 + CONSTANT TWICE
\ "a \"b\" \\ c" CONSTANT PATH
\ : SCALE ( x:r:b:100 k:n label:f -- <layer> y:f:k ) { x k } x 2.5E+4 * -.5 1. + k ; SHARED
\ ['] SCALE (SHARED)
\
\ : LOOPS ( r:* n -- r )
\   10 0 DO I LOOP 3 1 ?DO J LEAVE -1 +LOOP BEGIN DUP 0 > UNTIL
\   BEGIN TRUE WHILE { r } r 1 + TO r REPEAT IF r:28:28 ZEROS ELSE r:HIDDEN r DROP THEN 0< IF THEN
\   ['] SCALE EXECUTE ;
\
\ : MAIN ( -- ) ;
