package rest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// links are the addresses of the header Link below /v1, by their rel.
func (r reply) links(tb testing.TB) map[string]string {
	tb.Helper()
	out := map[string]string{}
	for one := range strings.SplitSeq(r.head.Get("Link"), ", ") {
		if one == "" {
			continue
		}
		address, rel, ok := strings.Cut(one, `>; rel="`)
		require.True(tb, ok, one)
		path, ok := strings.CutPrefix(address, "<"+baseURL)
		require.True(tb, ok, address)
		out[strings.TrimSuffix(rel, `"`)] = path
	}
	return out
}

// walk follows rel="next" and returns the ids of all pages.
func (b *bundle) walk(tb testing.TB, path, list, id string, between func(page int)) []string {
	tb.Helper()
	var all []string
	for page := 1; path != ""; page++ {
		r := b.get(tb, path)
		require.Equal(tb, http.StatusOK, r.status, r.body)
		var body map[string]any
		decode(tb, r.body, &body)
		records, ok := body[list].([]any)
		require.True(tb, ok, r.body)
		for _, v := range records {
			record, ok := v.(map[string]any)
			require.True(tb, ok, r.body)
			all = append(all, fmt.Sprint(record[id]))
		}
		between(page)
		path = r.links(tb)["next"]
	}
	return all
}

func TestPagesByCursorMissNothingWhileRecordsCome(t *testing.T) {
	t.Parallel()
	var records []any
	for i := range 5 {
		records = append(records, testdb.Booking{ID: fmt.Sprintf("fulton-2026-%06d", i), Name: "ROE, RICHARD", At: fmt.Sprintf("2026-03-0%dT10:00:00-05:00", i+1)})
	}
	b := setup(t, records...)
	come := func(page int) {
		b.db.Add(t, testdb.Booking{ID: fmt.Sprintf("fulton-2026-1%05d", page), Name: "ROE, NEW", At: fmt.Sprintf("2026-03-0%dT11:00:00-05:00", 6+page)})
	}
	got := b.walk(t, "/roster?county=fulton&limit=2", "records", "id", come)
	require.Equal(t, []string{"fulton-2026-000004", "fulton-2026-000003", "fulton-2026-000002", "fulton-2026-000001", "fulton-2026-000000"}, got)

	t.Log("offsets stay as they are, and say what lies before")
	middle := b.get(t, "/roster?name=roe&limit=2&offset=3")
	links := middle.links(t)
	require.Equal(t, 8, middle.total(t))
	require.Equal(t, "/roster?limit=2&name=roe", links["first"])
	require.Equal(t, "/roster?limit=2&name=roe&offset=1", links["prev"])
	require.Equal(t, b.get(t, "/roster?name=roe&limit=2&offset=5").ids(t, "id"), b.get(t, links["next"]).ids(t, "id"))
	require.Empty(t, b.get(t, "/roster?limit=200").links(t), "the only page")
	require.NotContains(t, b.get(t, "/roster?limit=5&offset=3").links(t), "next")
	require.Contains(t, b.get(t, links["next"]).links(t), "first")
}

func TestEveryListHasLinks(t *testing.T) {
	t.Parallel()
	b := setup(t, append(sample(), testdb.Offender{GdcID: "2000001", Name: "DOE, " + strings.Repeat("Ünïque ", 20)}, testdb.Offender{GdcID: "2000002", Name: "DOE, ZOE"})...)
	b.addAlerts(t)
	for path, c := range map[string][3]string{
		"/roster": {"records", "id", "3"}, "/courts": {"records", "case_number", "2"}, "/corrections": {"records", "gdc_id", "4"},
		"/corrections?name=doe": {"records", "gdc_id", "3"}, "/alerts": {"alerts", "id", "2"}, "/alerts?label=desk+4": {"alerts", "id", "1"},
		"/alerts/alrt_1/hits": {"hits", "id", "1"}, "/webhooks": {"webhooks", "id", "3"}, "/webhooks/wh_1/deliveries": {"deliveries", "id", "2"},
		"/sources": {"sources", "id", "3"},
	} {
		whole := b.walk(t, path, c[0], c[1], func(int) {})
		require.Equal(t, c[2], strconv.Itoa(len(whole)), path)
		one := path + "?limit=1"
		if strings.Contains(path, "?") {
			one = path + "&limit=1"
		}
		require.Equal(t, whole, b.walk(t, one, c[0], c[1], func(int) {}), path)
	}
}

func TestCursorsOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	b.addAlerts(t)
	next, err := url.Parse(b.get(t, "/roster?limit=1").links(t)["next"])
	require.NoError(t, err)
	cursor := next.Query().Get("cursor")
	for _, path := range []string{
		"/corrections?cursor=" + cursor, "/alerts?cursor=" + cursor, "/webhooks/wh_1/deliveries?cursor=" + cursor, "/alerts/alrt_1/hits?cursor=" + cursor,
		"/roster?cursor=x" + cursor, "/roster?cursor=" + cursor[1:], "/roster?offset=1&cursor=" + cursor, "/roster?cursor=" + strings.Repeat("x", 2001),
	} {
		message := b.get(t, path).message(t, http.StatusBadRequest, models.CodeInvalidParameter)
		require.Contains(t, message, "cursor")
		require.NotContains(t, message, "after")
	}
	require.Equal(t, http.StatusOK, b.get(t, "/roster?cursor=&offset=1").status, "an empty parameter counts as absent")
}
