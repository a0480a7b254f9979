package claim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Empty tables are filled without their indexes, which are all there afterwards.
func TestAFirstLoadMakesItsIndexesAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.source(t, "prison")
	indexes := func() string {
		return b.text(t, `select string_agg(indexdef, ' ' order by indexname) from pg_indexes where tablename in ('corrections_records', 'corrections_claims')`)
	}
	references := func() string {
		return b.text(t, `select string_agg(pg_get_constraintdef(oid), ' ' order by conname) from pg_constraint where contype = 'f' and conrelid in ('corrections_records'::regclass, 'corrections_claims'::regclass)`)
	}
	before, to := indexes(), references()
	s := snapshot{hour: 1, complete: true}
	for i := range 20_001 {
		s.rows = append(s.rows, offender{key: fmt.Sprintf("%06d", i), institution: "LEE"})
	}
	a := b.apply(t, "prison", "", 1, s)
	require.Equal(t, []int{20_001, 0, 0}, []int{a.New, a.Changed, a.Unchanged})
	require.Equal(t, before, indexes())
	require.Equal(t, to, references())

	s.hour = 2
	stored := b.stored(t)
	a = b.apply(t, "prison", "", 1, s)
	require.Equal(t, []int{0, 0, 20_001}, []int{a.New, a.Changed, a.Unchanged})
	require.Equal(t, stored, b.stored(t), "unchanged rows are not written")
}
