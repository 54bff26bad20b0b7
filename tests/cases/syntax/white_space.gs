\ a byte order mark, carriage returns and tabs are white space
:	MAIN	( -- )
	"a	b" DROP	; SHARED
\ == tokens
\ 2:1 word :
\ 2:3 word MAIN
\ 2:8 open (
\ 2:10 word --
\ 2:13 close )
\ 3:2 string "a	b"
\ 3:8 word DROP
\ 3:13 word ;
\ 3:15 word SHARED

\ == words
\ : MAIN ( -- ) "a	b" DROP ; SHARED
