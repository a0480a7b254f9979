package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/graph"
	"rollcall/internal/testdb"
	"rollcall/models/photograph"
	"rollcall/photo/vault"
)

// album signs addresses as nobody does.
type album struct{ until time.Time }

func (a album) Address(id string, size vault.Size) (string, time.Time) {
	return "https://records.example/photographs/" + id + "/" + string(size), a.until
}

func TestMugshotHasAnAddressAndItsComparison(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, ORLA", Photo: true}, testdb.Booking{ID: "fulton-2026-000002", Name: "TOLLIVER, ASH"},
		testdb.Offender{GdcID: "1000001", Name: "MOONSAIL, ORLA"}, testdb.Link{Booking: "fulton-2026-000001", Offender: "1000001"})
	one, two := strings.Repeat("1a", 32), strings.Repeat("2b", 32)
	for _, sql := range []string{
		`insert into photograph_files (hash, width, height, small_width, small_height, taken_at) select h, 480, 600, 192, 240, '2026-03-09T12:00:00Z' from unnest(array['` + one + `', '` + two + `']) h`,
		`update roster_claims c set photograph = '` + one + `' from bookings b where b.rid = c.record and b.id = 'fulton-2026-000001'`,
		`update corrections_claims set photograph = '` + two + `'`,
		`update gdc_links set origin = 'matched'`,
	} {
		_, err := b.db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	r := graph.NewResolver(b.store, baseURL, usage{}, b.alerts(t))
	ctx := graph.WithLoaders(t.Context(), b.store)
	booking, err := r.Query().RosterRecord(ctx, "fulton-2026-000001", nil)
	require.NoError(t, err)
	none, err := r.RosterRecord().Mugshot(ctx, booking, vault.Large)
	require.NoError(t, err)
	require.Nil(t, none, "a service that sends none names none")
	until := time.Date(2026, 3, 10, 15, 5, 0, 0, time.UTC)
	r.Photographs = album{until}
	m, err := r.RosterRecord().Mugshot(ctx, booking, vault.Small)
	require.NoError(t, err)
	require.Equal(t, []any{"https://records.example/photographs/fulton-2026-000001/small", 192, 240, until}, []any{m.URL, m.Width, m.Height, m.ExpiresAt})
	other, err := r.Query().RosterRecord(ctx, "fulton-2026-000002", nil)
	require.NoError(t, err)
	m, err = r.RosterRecord().Mugshot(ctx, other, vault.Small)
	require.NoError(t, err)
	require.Nil(t, m)

	t.Log("a comparison is shown, and makes the link's result; it ends with either photograph")
	check := func() *photograph.Check {
		ctx := graph.WithLoaders(t.Context(), b.store)
		link, err := r.RosterRecord().GdcMatch(ctx, booking)
		require.NoError(t, err)
		c, err := r.GdcMatch().MugshotCheck(ctx, link)
		require.NoError(t, err)
		require.Equal(t, c != nil, link.MugshotMatch)
		return c
	}
	require.Nil(t, check())
	pairs, err := b.store.PairsToCheck(t.Context(), "a model", photograph.Pair{}, 10)
	require.NoError(t, err)
	require.Len(t, pairs, 1)
	p := pairs[0]
	require.NoError(t, b.store.PutCheck(t.Context(), photograph.Check{
		RID: p.RID, CID: p.CID, Booking: p.Booking, Corrections: p.Corrections, Model: "a model", State: photograph.Match, Band: "0.30-0.35",
	}))
	require.NoError(t, b.store.SettleMatches(t.Context()))
	require.Equal(t, photograph.Match, check().State)
	pairs, err = b.store.PairsToCheck(t.Context(), "a model", photograph.Pair{}, 10)
	require.NoError(t, err)
	require.Empty(t, pairs, "a pair is compared once")

	_, err = b.db.Pool.Exec(t.Context(), `update corrections_claims set photograph = null`)
	require.NoError(t, err)
	require.NoError(t, b.store.SettleMatches(t.Context()))
	require.Nil(t, check())

	t.Log("what a takeover said stays, whatever was compared")
	_, err = b.db.Pool.Exec(t.Context(), `update gdc_links set origin = 'imported', mugshot_match = true`)
	require.NoError(t, err)
	require.NoError(t, b.store.SettleMatches(t.Context()))
	var match bool
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select mugshot_match from gdc_links`).Scan(&match))
	require.True(t, match)
}
