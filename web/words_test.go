package web_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestMistakesAreToldInWordsOfThePage(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as(u.Email)
	page := text(t, w.post("/settings/members", "email", "nobody", "role", "member"))
	require.Contains(t, page, "The e-mail is not an address like desk@example.org.")

	t.Log("a key that ended in another tab is told of on the page of keys")
	require.Equal(t, http.StatusOK, w.post("/settings/keys", "label", "production", "expires", "never").StatusCode)
	keys, err := b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	revoke := "/settings/keys/" + keys[0].ID + "/revoke"
	require.Equal(t, "/settings/keys?done=revoked&key="+keys[0].ID, w.post(revoke).Header.Get("Location"))
	for _, path := range []string{revoke, "/settings/keys/" + keys[0].ID + "/replace"} {
		again := w.post(path, "overlap", "1d")
		require.Equal(t, http.StatusConflict, again.StatusCode, path)
		page = text(t, again)
		require.Contains(t, page, "This key has expired or was revoked already.")
		require.Contains(t, page, "1 expired or revoked key", "among the others")
	}
}

func TestACountyWhoseJailNobodyReadsSaysSoAndWhatHelps(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled, county_id) select 'fulton', 'Fulton jail', 'roster', true, id from counties where slug = 'fulton'`)
	require.NoError(t, err)
	w := b.as("ada@example.org")
	read, unread := text(t, w.get("/counties/fulton")), text(t, w.get("/counties/echols"))
	require.Contains(t, read, "Figures of the county jail, from its published bookings")
	require.Contains(t, read, "Who is held now")
	require.NotContains(t, unread, "Figures of the county jail")
	require.NotContains(t, unread, "Who is held now")
	for _, part := range []string{"We don’t cover this county’s jail yet", "Ask the sheriff", `href="/alerts/new"`, `href="/counties"`} {
		require.Contains(t, unread, part)
	}
	require.NotContains(t, unread, "Pending court cases", "no court is read either")
	_, err = b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled) values ('courts', 'Dockets', 'courts', true)`)
	require.NoError(t, err)
	require.Contains(t, text(t, w.get("/counties/echols")), "/search?county=echols&amp;status=PENDING")
}

func TestHoursOfTheAxisAreWrittenAsAllTimesAre(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	require.NoError(t, b.store.AddUsage(t.Context(), []models.UsageCount{{AccountID: b.account.ID, Hour: time.Now().Truncate(time.Hour), Requests: 3}}))
	page := text(t, b.as("ada@example.org").get("/settings/usage"))
	for _, label := range []string{"12 AM", "6 AM", "12 PM", "6 PM"} {
		require.Contains(t, page, ">"+label+"</text>")
	}
}

// TestBoundsOfAFilterAreNamedAsTheFormNamesThem holds that no mistake of the search says a parameter's name.
func TestBoundsOfAFilterAreNamedAsTheFormNamesThem(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	for asked, said := range map[string]string{
		"booked_from=2026-03-08&booked_to=2026-03-01":     "“From” must not be after “to”.",
		"released_from=2026-03-08&released_to=2026-03-01": "“Released from” must not be after “Released to”.",
		"bond_from=900&bond_to=100":                       "“Bond from” must not be more than “Bond to”.",
		"age_from=40&age_to=20":                           "“Age from” must not be more than “Age to”.",
		"booked_from=yesterday":                           "“Booked from” must be a day such as 2026-03-08.",
	} {
		require.Contains(t, text(t, w.get("/search?q=smith&"+asked)), said)
	}
	r := w.form("/search?q=smith&booked_from=2026-03-08&booked_to=2026-03-01")
	r.Method, r.Body = http.MethodGet, http.NoBody
	r.Header.Set("Accept-Language", "es")
	require.Contains(t, text(t, w.do(r)), "«Desde» no debe ser posterior a «hasta».")
}

// TestCountsAndHoursAreSaidInSpanish holds that a number alone with its noun, a span, a note and a reason are translated.
func TestCountsAndHoursAreSaidInSpanish(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled, interval_seconds, last_attempt, note)
 values ('jail', 'Moss Hill jail', 'roster', true, 5, now(), '2 rows are in quarantine')`)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `with r as (insert into runs (source_id, state, started_at, report) values ('jail', 'partial', now(), '{}') returning id)
 insert into quarantine (run_id, source_id, line, field, reason, encrypted, at, last_at, times, expires_at)
 select r.id, 'jail', n, 'dob', 'not a date', 'row', now(), now(), 1, now() + '1 day' from r, generate_series(1, 3) n`)
	require.NoError(t, err)
	require.NoError(t, b.store.AddUsage(t.Context(), []models.UsageCount{{AccountID: b.account.ID, Hour: time.Now().Truncate(time.Hour), Requests: 3}}))
	w := b.as("ada@example.org")
	spanish := func(path string) string {
		r := w.form(path)
		r.Method, r.Body = http.MethodGet, http.NoBody
		r.Header.Set("Accept-Language", "es")
		return text(t, w.do(r))
	}
	page := spanish("/operator/sources/jail")
	require.Contains(t, page, "cada 5 segundos")
	require.Contains(t, page, ">3 filas esperan</a>")
	require.Contains(t, spanish("/operator/sources"), "2 filas están en cuarentena.")
	require.Contains(t, spanish("/settings/usage"), ">6 p.m.</text>")
	require.Contains(t, spanish("/settings/usage"), ", 12:00 a.m.</td>", "the first hour of a day is no day")
	_, err = b.db.Pool.Exec(t.Context(), "insert into account_events (account_id, at, actor, action, subject) values ($1, now(), 'key site (rc_live_q…)', 'alert created', 'x')", b.account.ID)
	require.NoError(t, err)
	require.Contains(t, spanish("/settings/trail"), "clave site (rc_live_q…)")
}
