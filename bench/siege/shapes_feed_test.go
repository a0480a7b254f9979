package siege

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/stretchr/testify/require"

	"rollcall/internal/pathtoken"
)

// shapesOfFeeds are the attacks of who has what an account hands out: the address of a calendar or of an Atom feed, and the
// exports of many alerts with what they found. With them come two pages that everybody may ask for.
func shapesOfFeeds() []shape {
	return []shape{
		{"a calendar by its token", 64, func(a *attacker) step {
			path := a.calendar()
			return a.get(func(int, int) string { return path }, "Accept", "*/*")
		}},
		{"calendars by 250 tokens of one account", 250, func(a *attacker) step {
			paths := make([]string, 250)
			for i := range paths {
				paths[i] = "/feeds/" + a.subscription(i) + "/hearings.ics"
			}
			return a.get(func(w, _ int) string { return paths[w%len(paths)] }, "Accept", "*/*")
		}},
		{"an Atom feed of many events, page after page", 64, func(a *attacker) step {
			a.found()
			token, sha := pathtoken.New()
			_, err := a.target.store.CreateAtomSubscription(a.t.Context(), a.account, "siege", sha)
			require.NoError(a.t, err)
			return a.get(func(w, i int) string {
				return fmt.Sprintf("/feeds/%s/events.atom?before=%s", token, event(a.account, (w*97+i)%a.target.records))
			}, "Accept", "*/*")
		}},
		{"exports of many alerts and what they found", 24, func(a *attacker) step {
			a.found()
			return a.get(func(w, _ int) string { return []string{"/alerts/export.csv", "/alerts/hits.csv"}[w%2] }, "Cookie", a.cookie)
		}},
		{"exports of many alerts that nobody reads", 64, func(a *attacker) step {
			a.found()
			return a.unanswered(func(w, _ int) string {
				return "GET " + []string{"/alerts/export.csv", "/alerts/hits.csv"}[w%2] + " HTTP/1.1\r\nHost: x\r\nCookie: " + a.cookie + "\r\n\r\n"
			})
		}},
		{"the status page, each with another query", 64, func(a *attacker) step {
			return a.get(func(w, i int) string {
				return fmt.Sprintf("%s?n=%d-%d", []string{"/status", "/status.json"}[w%2], w, i)
			}, "Accept", "text/html")
		}},
		{"the playground and its largest files", 64, func(a *attacker) step {
			files := a.playground()
			return a.get(func(w, i int) string { return files[(w+i)%len(files)] }, "Accept", "text/html", "Accept-Encoding", "gzip")
		}},
		{"the playground with invented cookies", 64, func(a *attacker) step {
			return func(ctx context.Context, w, i int) string {
				status, _, err := a.callers[w].send(ctx, http.MethodGet, "/graphql", "", "Accept", "text/html", "Cookie", fmt.Sprintf("rollcall_session=%026d", w*1_000_000+i))
				return word(status, err)
			}
		}},
	}
}

// calendar makes a calendar as a customer does, and returns its path.
func (a *attacker) calendar() string {
	a.t.Helper()
	const query = `{"query":"{courts(limit:1){records{id}}}"}`
	_, text, err := a.callers[0].send(a.t.Context(), http.MethodPost, "/graphql", query, a.bearer()...)
	require.NoError(a.t, err)
	_, id, _ := strings.Cut(string(text), `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	made := document(`mutation($c: ID!){createCalendarFeed(caseId:$c){url}}`, map[string]any{"c": id})
	_, text, err = a.callers[0].send(a.t.Context(), http.MethodPost, "/graphql", made, a.bearer()...)
	require.NoError(a.t, err)
	_, path, _ := strings.Cut(string(text), "/feeds/")
	path, _, _ = strings.Cut(path, `"`)
	require.NotEmpty(a.t, path, "%s", text)
	return "/feeds/" + path
}

// subscription stores a calendar of the account and returns its token.
func (a *attacker) subscription(i int) string {
	a.t.Helper()
	token, sha := pathtoken.New()
	_, err := a.target.db.Pool.Exec(a.t.Context(), `insert into calendar_subscriptions (id, account_id, case_id, label, sha256, created_at)
select 'feed_' || $1::text, $2, c.id, '', $3, now() from court_cases c order by c.id limit 1 offset $4`, token, a.account, sha, i%a.target.records)
	require.NoError(a.t, err)
	return token
}

// event is the id of the event of an account about the booking of person i.
func event(account string, i int) string { return fmt.Sprintf("evt_%s_%d", account, i) }

// found gives the account an alert for each person, with a hit and an event.
func (a *attacker) found() {
	a.t.Helper()
	for _, statement := range []string{
		`insert into watchers (id, account_id, name, events, label, created_at)
select 'alrt_' || $1::text || b.rid, $1, b.name, '{booking,release,bond_change}', 'siege', now() from bookings b`,
		`insert into hits (id, account_id, watcher_id, rid, probability, reasons, at)
select 'hit_' || $1::text || b.rid, $1, 'alrt_' || $1::text || b.rid, b.rid, 0.9, '{"surname agrees","given name agrees"}', now() from bookings b`,
		`with batch as (
  insert into change_batches (source_id, detected_at, watcher_rev) select min(id), now(), 0 from sources returning id
), change as (
  insert into changes (batch_id, kind, detected_at, matched_at, source_id, rid, record_id, county_id, name, booked_at, charges)
  select batch.id, 'booking', now(), now(), b.source_id, b.rid, b.id, b.county_id, b.name, b.booked_at, '{}' from batch, bookings b returning id, rid
)
insert into events (id, account_id, kind, change_id, watcher_id, rid, hit_id, level, probability, reasons, at, created_at)
select 'evt_' || $1::text || '_' || (row_number() over (order by rid) - 1), $1, 'booking', id, 'alrt_' || $1::text || rid, rid, 'hit_' || $1::text || rid, 'normal', 0.9, '{}', now(), now()
from change`,
	} {
		_, err := a.target.db.Pool.Exec(a.t.Context(), statement, a.account)
		require.NoError(a.t, err)
	}
}

// playground returns the addresses of the page to try queries on, and of what it loads.
func (a *attacker) playground() []string {
	a.t.Helper()
	_, text, err := a.callers[0].send(a.t.Context(), http.MethodGet, "/graphql", "", "Accept", "text/html")
	require.NoError(a.t, err)
	all := []string{"/graphql"}
	for _, part := range strings.Split(string(text), `"/static/playground/`)[1:] {
		file, _, _ := strings.Cut(part, `"`)
		all = append(all, "/static/playground/"+file)
	}
	require.Greater(a.t, len(all), 1, "%s", text)
	return all
}
