package graph_test

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// once sends a mutation with an Idempotency-Key.
func (b *bundle) once(t *testing.T, key, query string) *answer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query})
	require.NoError(t, err)
	return b.send(t, request{body: string(body), once: []string{key}})
}

func (b *bundle) watchers(t *testing.T) int {
	t.Helper()
	page, err := b.store.Watchers(t.Context(), b.mine.ID, models.Page{Limit: 1})
	require.NoError(t, err)
	return page.Total
}

// An answer need not hold the id of a record to show it.
func TestAKeptAnswerIsForgottenWithTheRecordThatItShows(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	b.happens(t, "evt_1")
	for key, fields := range map[string]string{"name": "hits { record { name } }", "reasons": "hits { reasons }", "label": "label"} {
		require.Empty(t, b.once(t, key, `mutation { updateAlert(id: "alrt_1", input: {label: "desk"}) { `+fields+` } }`).Errors)
		var n int
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select count(*) from idempotency_keys k join bookings on rid = any(k.bookings) where key = $1`, key).Scan(&n))
		require.Equal(t, key != "label", n == 1, key)
	}
}

const watchTess = `mutation { createAlert(input: {name: "Tess Marlowe"}) { id } }`

func TestAMutationWithAnIdempotencyKeyHappensOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	first := b.once(t, "k1", watchTess)
	require.Empty(t, first.Errors)
	require.Empty(t, first.header.Get("Idempotent-Replayed"))
	again := b.once(t, "k1", watchTess)
	require.Equal(t, []string{first.body, "true"}, []string{again.body, again.header.Get("Idempotent-Replayed")})
	require.Equal(t, 1, b.watchers(t))
	require.Equal(t, "CONFLICT", b.once(t, "k1", `mutation { createAlert(input: {name: "Orla Moonsail"}) { id } }`).code(t))
	require.Equal(t, 1, b.watchers(t))
	b.once(t, "k2", watchTess)
	b.post(t, watchTess, nil)
	require.Equal(t, 3, b.watchers(t), "another key, and none")

	t.Log("the key is the account's own")
	b.mine = b.newAccount(t, "else@example.org", models.Enterprise)
	require.Empty(t, b.once(t, "k1", watchTess).header.Get("Idempotent-Replayed"))
	require.Equal(t, 1, b.watchers(t))
}

func TestTwentyTwinsOfAMutationMakeOneWatcher(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	var all sync.WaitGroup
	bodies := make([]string, 20)
	for i := range bodies {
		all.Go(func() { bodies[i] = b.once(t, "twins", watchTess).body })
	}
	all.Wait()
	for _, body := range bodies {
		require.Equal(t, bodies[0], body)
	}
	require.Equal(t, 1, b.watchers(t))
}

func TestAMutationThatFailedMayBeTriedAgainUnlessAPartOfItHappened(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	refused := `mutation { deleteAlert(id: "alrt_none") }`
	require.Equal(t, "NOT_FOUND", b.once(t, "k", refused).code(t))
	require.Empty(t, b.once(t, "k", watchTess).Errors, "the key is free again")
	both := `mutation { a: createAlert(input: {name: "Orla Moonsail"}) { id } b: deleteAlert(id: "alrt_none") }`
	first := b.once(t, "parts", both)
	require.Equal(t, "NOT_FOUND", first.code(t))
	require.Equal(t, first.body, b.once(t, "parts", both).body)
	require.Equal(t, 2, b.watchers(t), "one of Tess, one of Orla")
}

func TestAnIdempotencyKeyThatCannotBeKeptIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for _, q := range []request{{once: []string{""}}, {once: []string{"a", "b"}}, {once: []string{"\u00e9"}}, {once: []string{"k"}, accept: events}} {
		q.body = `{"query": "mutation { createAlert(input: {name: \"Tess Marlowe\"}) { id } }"}`
		require.Contains(t, b.send(t, q).body, `"code":"INVALID_PARAMETER"`)
	}
	require.Zero(t, b.watchers(t))
	require.Equal(t, http.StatusOK, b.send(t, request{body: `{"query": "{ counties { slug } }"}`, once: []string{"a", "b"}}).status, "it counts for mutations only")
}
