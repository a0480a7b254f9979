package graph_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/graph/transport"
	"rollcall/internal/testdb"
)

func TestAnAnswerSaysWhatItsOperationCosts(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *transport.Options) { o.Keep, o.Views = 1<<20, &views{} }, testdb.Booking{ID: "fulton-2026-000001", Name: "Quentin Abernethy"})
	for query, cost := range map[string]string{
		`{ roster(limit: 10) { records { id } } }`:                                   "21", // one for the list, ten records of two
		`{ usage { limit } }`:                                                        "2",
		`mutation { createAlert(input: {name: "Tess Marlowe"}) { id } }`:             "2",
		`mutation { deleteAlert(id: "alrt_none") }`:                                  "1", // an error costs too
		`query($n: Int) { roster(limit: $n) { records { id gdcMatch { gdcId } } } }`: "201",
	} {
		for range 2 { // the second is from the cache
			a := b.post(t, query, nil)
			require.Equal(t, cost, a.header.Get("X-GraphQL-Cost"), query)
			require.Equal(t, "120000", a.header.Get("X-GraphQL-Cost-Limit"))
			var said struct {
				Extensions struct {
					Cost struct{ Requested, Limit json.Number }
				}
			}
			require.NoError(t, json.Unmarshal([]byte(a.body), &said), a.body)
			require.Equal(t, cost, said.Extensions.Cost.Requested.String(), a.body)
			require.Equal(t, "120000", said.Extensions.Cost.Limit.String())
		}
	}
	require.Empty(t, b.post(t, `{ nonsense }`, nil).header.Get("X-GraphQL-Cost"), "it was not executed")
}
