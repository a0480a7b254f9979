package claim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A county that is read right after a large source is planned by statistics that know of it.
func TestATableThatGrewHasStatisticsAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.source(t, "gdc")
	rows := func(n int) (list []offender) {
		for i := range n {
			list = append(list, offender{key: fmt.Sprintf("%06d", i), institution: "SMITH STATE PRISON"})
		}
		return list
	}
	estimate := func() string {
		return b.text(t, `select reltuples::bigint || ' ' || exists (select from pg_stats where tablename = relname) from pg_class where relname = 'corrections_records'`)
	}
	b.apply(t, "gdc", "", 1, listing{hour: 0, complete: true, rows: rows(10)})
	require.Equal(t, "-1 false", estimate(), "a small table is left to autovacuum")
	b.apply(t, "gdc", "", 1, listing{hour: 1, complete: true, rows: rows(4_000)})
	require.Equal(t, "4000 true", estimate())
	b.apply(t, "gdc", "", 1, listing{hour: 2, complete: true, rows: rows(4_100)})
	require.Equal(t, "4000 true", estimate(), "and so is one that grew by little")
}
