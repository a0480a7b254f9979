package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

func TestTheFirstPageOfANewDeskSaysThatThereIsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	page := text(t, b.as("ada@example.org").get("/"))
	for _, part := range []string{"No unread hits", "No bookings or releases", "No jail is covered yet", "0 of Georgia’s 159 counties", `action="/search"`, "autofocus"} {
		require.Contains(t, page, part)
	}

	t.Log("without records in the plan there is no such page, and without a session neither")
	b.user(b.newAccount("free@example.org", models.Free), "eve@example.org", models.Owner, false)
	require.Equal(t, "/settings/keys", b.as("eve@example.org").get("/").Header.Get("Location"))
	stranger := b.browser().get("/")
	require.Equal(t, []any{http.StatusSeeOther, "/sign-in"}, []any{stranger.StatusCode, stranger.Header.Get("Location")})
}

func TestTheFirstPageShowsWhatHappened(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	recent, before := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339), time.Now().Add(-30*time.Hour).UTC().Format(time.RFC3339)
	b.db.Add(t, testdb.Booking{ID: "fulton-2026-000001", Name: "BOOKED, NEW", At: recent}, testdb.Booking{ID: "fulton-2026-000002", Name: "BOOKED, OLD", At: before, Released: recent},
		testdb.Booking{ID: "cobb-2026-000001", County: "cobb", Name: "HIDDEN, CHILD", At: recent, Withheld: "juvenile"}, testdb.Booking{ID: "dade-2026-000001", County: "dade", Name: "BOOKED, OLDER", At: before})
	alert := b.watch("", "Ada Old")[0]
	_, err := b.db.Pool.Exec(t.Context(), `insert into hits (id, account_id, watcher_id, rid, probability, reasons, at)
select 'hit_' || b.id, $1, $2, b.rid, 0.97, '{}', now() from bookings b where b.id in ('fulton-2026-000002', 'cobb-2026-000001')`, b.account.ID, alert)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled, county_id, last_success, interval_seconds)
select 'jail-' || slug, name || ' jail', 'roster', true, id, now() - case when slug = 'dade' then interval '9 days' else interval '1 minute' end, 3600 from counties where slug in ('fulton', 'dade')`)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `insert into saved_searches (id, user_id, name, query, created_at) select 'srch_1', id, 'Fulton, new', 'county=fulton', now() from users`)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `with batch as (
  insert into change_batches (source_id, detected_at, watcher_rev) values ('jail-fulton', now(), 0) returning id
), change as (
  insert into changes (batch_id, kind, detected_at, matched_at, source_id, rid, record_id, county_id, name, booked_at, charges, bond_cents, old_bond_cents)
  select batch.id, 'bond_change', now(), now(), 'jail-fulton', b.rid, b.id, b.county_id, 'BOOKED, OLD', b.booked_at, '{}', 90000, 50000
  from batch, bookings b where b.id = 'fulton-2026-000002' returning id, rid
)
insert into events (id, account_id, kind, change_id, watcher_id, rid, hit_id, at, created_at)
select 'evt_1', $1, 'bond_change', id, $2, rid, 'hit_fulton-2026-000002', now(), now() from change`, b.account.ID, alert)
	require.NoError(t, err)
	page := text(t, w.get("/"))
	require.Contains(t, page, `<span class="chip accent">bond changed</span> <span class="step num"><span class="quiet">$500</span> → <b>$900</b></span>`)
	require.Contains(t, page, `<a href="/search?county=fulton">Fulton, new</a>`)
	for _, part := range []string{"BOOKED, OLD", "name only", "1 booked, 1 released or no longer listed", `href="/counties/fulton">Fulton</a></th><td class="num">1</td><td class="num">1</td>`, `>1<span class="visually-hidden"> unread`, "2 of Georgia’s 159 counties"} {
		require.Contains(t, page, part)
	}
	require.NotContains(t, page, "HIDDEN", "who is withheld is nowhere")
	require.NotContains(t, page, ">Cobb<", "and in no figure")
	require.Equal(t, 159, strings.Count(page, "</title></path>"), "the map has every county")
	require.Contains(t, page, `<a href="/counties/dade" class="late" aria-label="Dade County, covered, not current">`)
	_, late, _ := strings.Cut(page, "Jails that are not current")
	late, _, _ = strings.Cut(late, "</section>")
	require.Contains(t, late, ">Dade</a>")
	require.NotContains(t, late, "Fulton")

	t.Log("the map says the same, and its list too")
	counties := text(t, w.get("/counties"))
	require.Equal(t, 159, strings.Count(counties, "</title></path>"))
	for _, part := range []string{
		`<a href="/counties/fulton" class="current" aria-label="Fulton County, covered">`, `<a href="/counties/dade" class="late" aria-label="Dade County, covered, not current">`,
		`<title>Cobb County, not covered</title>`, `<a href="/counties/dade">Dade</a> <span class="small quiet">covered, not current</span>`,
	} {
		require.Contains(t, counties, part)
	}
}
