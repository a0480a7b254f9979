package account_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

// claim claims a key for the one request of these tests.
func (b *bundle) claim(t *testing.T, key string) (*models.KeptAnswer, *models.IdempotencyClaim) {
	t.Helper()
	kept, claim, err := b.Store.BeginIdempotent(b.Ctx, b.account.ID, key, sha("request"))
	require.NoError(t, err)
	return kept, claim
}

func TestARepeatedRequestGetsTheFirstAnswerForADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, claim := b.claim(t, "key")
	answer := models.KeptAnswer{Status: 201, Body: []byte(`{"id":"alrt_1"}`)}
	require.NoError(t, b.Store.FinishIdempotent(b.Ctx, claim, answer))

	b.Now = b.Now.Add(24 * time.Hour)
	kept, again := b.claim(t, "key")
	require.Equal(t, &answer, kept)
	require.Nil(t, again)
	_, _, err := b.Store.BeginIdempotent(b.Ctx, b.account.ID, "key", sha("another request"))
	requireCode(t, models.CodeConflict, err)

	b.Now = b.Now.Add(time.Second)
	require.NoError(t, b.Store.SweepIdempotent(b.Ctx))
	kept, again = b.claim(t, "key")
	require.Nil(t, kept)
	require.NotNil(t, again)
}

func TestAnOldKeyIsFreeBeforeItIsSwept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, claim := b.claim(t, "key")
	require.NoError(t, b.Store.FinishIdempotent(b.Ctx, claim, models.KeptAnswer{Status: 200, Body: []byte(`{}`)}))
	b.Now = b.Now.Add(24*time.Hour + time.Second)
	kept, again := b.claim(t, "key")
	require.Nil(t, kept)
	require.NotNil(t, again)
}

func TestAFailedRequestFreesItsKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, claim := b.claim(t, "key")
	require.NoError(t, b.Store.ForgetIdempotent(b.Ctx, claim))
	kept, again := b.claim(t, "key")
	require.Nil(t, kept)
	require.NotNil(t, again)
}

func TestARequestWaitsForItsTwin(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, claim := b.claim(t, "key")
	ctx, cancel := context.WithTimeout(b.Ctx, 100*time.Millisecond)
	defer cancel()
	_, _, err := b.Store.BeginIdempotent(ctx, b.account.ID, "key", sha("request"))
	require.ErrorIs(t, err, context.DeadlineExceeded)

	answered := make(chan *models.KeptAnswer)
	go func() {
		kept, _, err := b.Store.BeginIdempotent(b.Ctx, b.account.ID, "key", sha("request"))
		if err != nil {
			kept = nil
		}
		answered <- kept
	}()
	require.NoError(t, b.Store.FinishIdempotent(b.Ctx, claim, models.KeptAnswer{Status: 200, Body: []byte(`{}`)}))
	require.Equal(t, &models.KeptAnswer{Status: 200, Body: []byte(`{}`)}, <-answered)
}

func TestALateAnswerDoesNotReplaceThatOfItsSuccessor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, late := b.claim(t, "key")
	b.Now = b.Now.Add(models.IdempotencyPatience + time.Second)
	_, successor := b.claim(t, "key")
	require.NotNil(t, successor, "the first counts as dead")

	require.NoError(t, b.Store.FinishIdempotent(b.Ctx, late, models.KeptAnswer{Status: 200, Body: []byte(`"late"`)}))
	require.NoError(t, b.Store.ForgetIdempotent(b.Ctx, late))
	require.NoError(t, b.Store.FinishIdempotent(b.Ctx, successor, models.KeptAnswer{Status: 200, Body: []byte(`"in time"`)}))
	require.NoError(t, b.Store.FinishIdempotent(b.Ctx, late, models.KeptAnswer{Status: 200, Body: []byte(`"later"`)}))
	kept, _ := b.claim(t, "key")
	require.Equal(t, `"in time"`, string(kept.Body))
}

func TestAKeptAnswerKnowsTheBookingsThatItShows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Book(t, modelstest.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}, modelstest.Booking{ID: "an imported id", Name: "ROE, RICHARD"})
	for body, want := range map[string][]string{
		`{"record": {"id": "fulton-2026-000001"}}`:                                       {"fulton-2026-000001"},
		`[{"payload": "{\"a\":[\"an imported id\"]}"}, "fulton-2026-000001"]`:            {"an imported id", "fulton-2026-000001"},
		`{"id": "fulton\u002d2026-000001"}`:                                              {"fulton-2026-000001"},
		`{"id": "fulton-2026-000009", "note": "saw fulton-2026-000001", "n": "a\u0000"}`: {},
		"\x00\xff not JSON": {},
	} {
		_, claim := b.claim(t, "key")
		require.NoError(t, b.Store.FinishIdempotent(b.Ctx, claim, models.KeptAnswer{Status: 200, Body: []byte(body)}))
		var got []string
		require.NoError(t, b.Pool.QueryRow(b.Ctx, `select array(select b.id from bookings b where b.rid = any (k.bookings) order by b.id)
			from idempotency_keys k where key = $1`, "key").Scan(&got))
		require.Equal(t, want, got, body)
		require.NoError(t, b.Store.SweepIdempotent(b.Ctx))
		b.Exec(t, `delete from idempotency_keys`)
	}
}
