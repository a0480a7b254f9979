package engine_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/claim/internal/roster"
	"rollcall/models/snapshot"
	"rollcall/models/store"
	"rollcall/resolve"
)

var noon = time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC)

// inSession runs fn in a session of the roster, whose transaction it commits.
func inSession(t *testing.T, s *store.Store, fn func(*engine.Session)) {
	t.Helper()
	require.NoError(t, s.InTx(t.Context(), func(tx pgx.Tx) error {
		fn(engine.Open(s, tx, roster.Family, noon))
		return nil
	}))
}

// setup returns a store whose only source is "jail", with the booking 7.
func setup(t *testing.T) *store.Store {
	t.Helper()
	db := testdb.New(t)
	for _, sql := range []string{
		`insert into sources (id, title, kind) values ('jail', 'Jail', 'roster')`,
		`insert into bookings (rid, id, county_id, source_id, name, name_key, booked_at, first_seen, last_seen, last_change, gen)
 values (7, 'x-7', 121, 'jail', 'DOE, JANE', 'jane doe', now(), now(), now(), now(), 1)`,
	} {
		_, err := db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	s, err := store.Open(t.Context(), db.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// full is a claim with a value in each field that a table keeps.
func full(key string) *resolve.BookingClaim {
	missing := noon.Add(-time.Hour)
	c := resolve.NewBooking(&resolve.Policy{ID: "jail"}, key, 1)
	c.Head = resolve.Head{
		Source: c.Source, Key: key, Stay: 1, Record: 7, County: 121, How: resolve.Rekeyed, HowAt: noon,
		Fingerprint: []byte{1, 2}, FirstAt: noon.AddDate(0, 0, -2), SaidAt: noon.AddDate(0, 0, -1),
		Present: true, MissingSince: &missing, Misses: 1, Disputed: true, PersonKey: "p1", Number: "n1",
		Since: resolve.Since{"bond": noon}, Age: resolve.Evidence{Year: 1990, YearAt: noon},
	}
	c.Facts = resolve.BookingFacts{County: 121, Name: "DOE, JANE", Agency: "GSP", DOB: &models.Date{Year: 1990, Month: 1, Day: 2}, Year: 1990, Charges: []snapshot.Charge{{Description: "THEFT"}}, Bond: new(int64(50000))}
	return c
}

func TestAClaimIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	s := setup(t)
	want := full("K1")
	inSession(t, s, func(on *engine.Session) {
		require.NoError(t, engine.WriteClaims(t.Context(), on, []*resolve.BookingClaim{want}, nil))
	})
	read := func() *resolve.BookingClaim {
		var got map[int64][]*resolve.BookingClaim
		inSession(t, s, func(on *engine.Session) {
			var err error
			got, err = engine.ClaimsOf[resolve.BookingFacts](t.Context(), on, []int64{7})
			require.NoError(t, err)
		})
		require.Len(t, got[7], 1)
		got[7][0].Source = want.Source // read anew, with the settings of its row
		return got[7][0]
	}
	require.Equal(t, want, read())

	t.Log("a known claim is replaced, and what it does not say any more is gone")
	want.MissingSince, want.Misses, want.Since, want.Age, want.Facts.Bond = nil, 0, nil, resolve.Evidence{}, nil
	inSession(t, s, func(on *engine.Session) {
		require.NoError(t, engine.WriteClaims(t.Context(), on, nil, []*resolve.BookingClaim{want}))
	})
	require.Equal(t, want, read())
}

func TestAFreshClaimThatIsThereIsAnError(t *testing.T) {
	t.Parallel()
	s := setup(t)
	write := func() (err error) {
		return s.InTx(t.Context(), func(tx pgx.Tx) error {
			return engine.WriteClaims(t.Context(), engine.Open(s, tx, roster.Family, noon), []*resolve.BookingClaim{full("K1")}, nil)
		})
	}
	require.NoError(t, write())
	require.ErrorContains(t, write(), "roster_claims_pkey")
}

func TestEarlierStaysOfAKeyAreNotReadByIt(t *testing.T) {
	t.Parallel()
	s := setup(t)
	now, before := full("K1"), full("K1")
	now.Stay = 0
	inSession(t, s, func(on *engine.Session) {
		require.NoError(t, engine.WriteClaims(t.Context(), on, []*resolve.BookingClaim{now, before}, nil))
		got, err := engine.ClaimsByKey[resolve.BookingFacts](t.Context(), on, "jail", []string{"K1", "K2"})
		require.NoError(t, err)
		require.Len(t, got, 1)
		require.Zero(t, got["K1"].Stay)
	})
}

// Writers of a family commit in the order of their generations.
func TestASessionTakesOneGeneration(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var first, second int64
	inSession(t, s, func(on *engine.Session) {
		require.NoError(t, on.Lock(t.Context()))
		first = on.Gen
		require.NoError(t, on.Lock(t.Context()))
		require.Equal(t, first, on.Gen)
	})
	inSession(t, s, func(on *engine.Session) {
		require.NoError(t, on.Lock(t.Context()))
		second = on.Gen
	})
	require.Equal(t, first+1, second)
}
