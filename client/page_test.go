package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// records answers with a page of bookings, by their ids.
func records(total, offset int, asOf, link string, ids ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("X-Data-As-Of", asOf)
		w.Header().Set("X-Data-Stale", "fulton,*")
		if link != "" {
			w.Header().Set("Link", link)
		}
		list := []Booking{}
		for _, id := range ids {
			list = append(list, Booking{ID: id})
		}
		text, err := json.Marshal(list)
		if err != nil {
			panic(err)
		}
		_, _ = fmt.Fprintf(w, `{"total":%d,"limit":2,"offset":%d,"records":%s}`, total, offset, text)
	}
}

func TestAllPagesAreRead(t *testing.T) {
	t.Parallel()
	c, s := scripted(records(5, 0, "", "", "a", "b"), records(5, 2, "", `<https://records.example/v1/roster?cursor=zz&limit=2>; rel="next"`, "c", "d"), records(5, 0, "", "", "e"))
	var got []string
	for b, err := range c.AllRoster(t.Context(), RosterFilter{County: "fulton", UpdatedSince: time.Date(2026, 3, 8, 9, 0, 0, 0, time.FixedZone("", -3600))}) {
		require.NoError(t, err)
		got = append(got, b.ID)
	}
	require.Equal(t, []string{"a", "b", "c", "d", "e"}, got)
	require.Len(t, s.requests, 3, "the last page of a cursor has no link, and nothing is counted after it")
	require.Equal(t, "county=fulton&limit=200&updated_since=2026-03-08T10%3A00%3A00Z", s.requests[0].URL.RawQuery)
	require.Equal(t, "2", s.requests[1].URL.Query().Get("offset"))
	require.Equal(t, "cursor=zz&limit=2", s.requests[2].URL.RawQuery, "a link of the service goes before counting")
	require.Equal(t, "records.example", s.requests[2].URL.Host, "the key goes to no other host")
}

func TestAPageSaysHowFreshItIs(t *testing.T) {
	t.Parallel()
	c, _ := scripted(records(1, 0, "2026-03-08T14:30:00Z", "", "a"))
	p, err := c.Roster(t.Context(), RosterFilter{}, PageOptions{Limit: 2, Offset: 4})
	require.NoError(t, err)
	require.Equal(t, time.Date(2026, 3, 8, 14, 30, 0, 0, time.UTC), p.Meta.AsOf)
	require.Equal(t, []string{"fulton", "*"}, p.Meta.Stale)
	require.Equal(t, 1, p.Total)
}

func TestFollowingGoesOnFromTheFirstPageOfAPass(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const first, later, last = "2026-03-08T14:30:00Z", "2026-03-08T14:31:00Z", "2026-03-08T15:00:00Z"
		c, s := scripted(records(3, 0, first, "", "a", "b"), records(3, 2, later, "", "c"), records(2, 0, last, "", "c", "d"), status(404, "", limited))
		var got []string
		for b, err := range c.FollowRoster(t.Context(), RosterFilter{}, time.Time{}, time.Minute) {
			if err != nil {
				break
			}
			var ids []string
			for _, one := range b.Items {
				ids = append(ids, one.ID)
			}
			got = append(got, strings.Join(ids, "")+" "+instant(b.Next))
		}
		require.Equal(t, []string{"ab ", "c " + first, "d " + last}, got, "one that is as it was does not come again")
		require.Empty(t, s.requests[0].URL.Query().Get("updated_since"))
		require.Equal(t, first, s.requests[2].URL.Query().Get("updated_since"))
		require.Equal(t, last, s.requests[3].URL.Query().Get("updated_since"))
	})
}

func TestAChangeLeavesSetsAndClears(t *testing.T) {
	t.Parallel()
	c, s := scripted(status(200, "", `{"id":"alrt_1"}`))
	_, err := c.ChangeAlert(t.Context(), "alrt 1", AlertChange{Name: Set("Jane Doe"), County: Clear[string](), Paused: Set(false)})
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"Jane Doe","county":null,"paused":false}`, s.bodies[0])
	require.Equal(t, "/v1/alerts/alrt%201", s.requests[0].URL.EscapedPath())
}
