package sqlfile_test

import (
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/models/db/sqlfile"
)

func files(texts ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i, text := range texts {
		out["sql/"+string(rune('a'+i))+".sql"] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func TestStatementsAreReadByName(t *testing.T) {
	t.Parallel()
	s := sqlfile.Load(files("-- Of accounts.\n\n-- name: one\n-- Why.\nselect 1\n  -- and why this\n where true;\n\n-- name: two\nselect '--', 2 -- kept\n", "-- name: three\nselect @x::int"))

	require.Equal(t, []string{"one", "three", "two"}, s.Names())
	require.Equal(t, "select 1\n where true", s.Get("one"), "comments of their own lines are not sent")
	require.Equal(t, "select '--', 2 -- kept", s.Get("two"))
	require.Equal(t, "select @x::int", s.Get("three"))
	require.PanicsWithValue(t, "sqlfile: no statement is named four", func() { s.Get("four") })
}

func TestStatementsOfSeveralTablesAreNamedOnce(t *testing.T) {
	t.Parallel()
	s := sqlfile.Load(files("-- name: all\nselect id from {records}"))
	require.Equal(t, "select id from bookings", s.With("{records}", "bookings").Get("all"))
	require.Equal(t, "select id from {records}", s.Get("all"))
}

func TestFilesThatAreNoStatementsAreRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a statement without a name":        "select 1",
		"a name without a statement":        "-- name: one\n-- nothing\n",
		"a name twice":                      "-- name: one\nselect 1\n-- name: one\nselect 2",
		"a name in words":                   "-- name: Not This\nselect 1",
		"a statement whose name is missing": "-- name:\nselect 1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := sqlfile.Read(files(text))
			require.Error(t, err)
			require.Panics(t, func() { sqlfile.Load(files(text)) })
		})
	}
}

func TestNamedArgumentsAreBoundInTheirOrder(t *testing.T) {
	t.Parallel()
	s := sqlfile.Load(files("-- name: one\nselect @b::int[], @a, @b"))
	text, values := s.Bind(t.Context(), "one", pgx.StrictNamedArgs{"a": "x", "b": []int{1, 2}})
	require.Equal(t, "select $1::int[], $2, $1", text)
	require.Equal(t, []any{[]int{1, 2}, "x"}, values)
	require.Panics(t, func() { s.Bind(t.Context(), "one", pgx.StrictNamedArgs{"a": "x"}) })
}

func TestTwoSetsAreJoinedIfTheyNameNothingTwice(t *testing.T) {
	t.Parallel()
	one, two := sqlfile.Load(files("-- name: one\nselect 1")), sqlfile.Load(files("-- name: two\nselect 2"))
	require.Equal(t, []string{"one", "two"}, one.Join(two).Names())
	require.Equal(t, []string{"one"}, one.Names(), "a set does not change")
	require.Equal(t, []string{"two"}, sqlfile.Set{}.Join(two).Names())
	require.PanicsWithValue(t, `sqlfile: there are two statements "one"`, func() { one.Join(one) })
}
