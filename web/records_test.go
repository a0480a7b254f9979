package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// pageBytes is what a page may weigh.
const pageBytes = 100_000

// caseID is the id of the case with a number.
func (b *bundle) caseID(number string) string {
	b.t.Helper()
	found, err := b.store.CourtCasesByNumber(b.t.Context(), number, nil, nil)
	require.NoError(b.t, err)
	require.Len(b.t, found, 1, number)
	return found[0].ID()
}

func TestRecordsAreWholeWithoutScripts(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.db.Add(t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, <b>WREN", DOB: "1990-02-03", Charges: []string{"SIMPLE BATTERY", "FTA"}, BondCents: 250_050},
		testdb.Booking{
			ID: "cobb-2025-000002", Name: "MOONSAIL, WREN A", County: "cobb", At: "2025-03-01T12:00:00-05:00",
			Released: "2025-03-02T13:00:00-05:00", BondCents: -1,
		},
		testdb.Booking{ID: "fulton-2026-000009", Name: "QUILL, ORA", At: "2026-03-01T00:00:00-05:00"},
		testdb.Offender{
			GdcID: "1000412", Name: "MOONSAIL, WREN ADA", DOB: "1990-02-03", Sentence: "5 YEARS, 0 MONTHS, 1 DAY",
			Institution: "HAYS STATE PRISON", Release: "2040-01-02", Projected: true,
		},
		testdb.Case{
			Number: "26-CR-1", Defendant: "MOONSAIL, WREN", Offense: "SIMPLE BATTERY", Judge: "HON. QUILL", BailCents: 100_000,
			Hearings:     []testdb.Hearing{{Date: "2020-04-01"}, {Date: "2040-04-01", Time: "09:30", Location: "ROOM 4", Link: "javascript:alert(1)"}},
			Dispositions: []testdb.Disposition{{Date: "2026-02-01", Outcome: "NOLLE PROSEQUI"}},
		},
		testdb.Link{Booking: "fulton-2026-000001", Offender: "1000412"}, testdb.Link{Booking: "cobb-2025-000002", Offender: "1000412", Confidence: "low"},
		testdb.CourtLink{Case: "26-CR-1", Booking: "fulton-2026-000001", Confidence: "high"},
		testdb.CourtLink{Case: "26-CR-1", Offender: "1000412", Confidence: "medium"},
	)
	w, court := b.as("ada@example.org"), "/cases/"+b.caseID("26-CR-1")
	for path, parts := range map[string][]string{
		"/roster/fulton-2026-000001": {
			"<title>Moonsail, &lt;b&gt;Wren · rollcall</title>", `<span title="MOONSAIL, &lt;b&gt;WREN">`, "Fulton County · born Feb 3, 1990",
			"<dt>In custody for</dt>", "$2,500.50",
			`<a href="` + court + `"><time`, "down", "Ask the jail or court before you rely on it", `<span title="SIMPLE BATTERY">Simple battery</span>`,
			"State corrections", "high confidence",
			"Other bookings linked to this state record", "links to it with high confidence", "links to it with low confidence", "Court cases", "First seen",
			"GET /v1/roster/fulton-2026-000001",
			`href="/people/fulton-2026-000001"`, `href="/alerts/new?born=1990-02-03&amp;name=Moonsail`,
		},
		"/roster/cobb-2025-000002": {
			"<dt>Released</dt>", "<dt>Held for</dt><dd>1 day</dd>", "no linked case", "not stated", "The jail lists no charges", "birth date not stated",
		},
		"/roster/fulton-2026-000009": {`<dt>In custody since</dt><dd><time datetime="2026-03-01T05:00:00Z">Mar 1, 2026</time></dd>`},
		court: {
			"26-CR-1</bdi> · ", "Apr 1, 2040, 9:30 AM", "$1,000", ">Hon. Quill</span>", "Hearings and outcomes are as of", "1 past", "9:30 AM</h3>",
			"time not stated",
			">Room 4</span>", "<span>Virtual hearing</span>", ">Nolle prosequi</span></b>", "County bookings", "medium confidence",
			"state court", "hearings.ics",
			"Create address",
		},
		"/corrections/1000412": {
			">Hays State Prison</span>", ">5 years, 1 day</span>", "Projected release", "Jan 2, 2040", "County bookings", "Court cases",
			"Court orders and administrative decisions",
			`href="/roster/cobb-2025-000002"`, `href="/people/gdc-1000412"`,
		},
	} {
		resp := w.get(path)
		require.Equal(t, http.StatusOK, resp.StatusCode, path)
		page := text(t, resp)
		for _, part := range parts {
			require.Contains(t, page, part, path)
		}
		require.NotContains(t, page, "noscript", path)
		require.NotContains(t, page, "javascript:", path)
		require.NotContains(t, page, "ZgotmplZ", path)
	}
	require.Contains(t, w.reads("/roster/fulton-2026-000001", "es"), "Registros enlazados")
	require.Contains(t, w.reads("/corrections/1000412", "es"), ">5 años, 1 día</span>")
}

func TestARecordShowsNothingOfAHiddenOne(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.db.Add(t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN"}, testdb.Booking{ID: "fulton-2026-000002", Name: "SENTINEL, A", Withheld: "juvenile"},
		testdb.Offender{GdcID: "1000412", Name: "MOONSAIL, WREN"}, testdb.Offender{GdcID: "1000413", Name: "SENTINEL, B", Withheld: "restricted"},
		testdb.Case{Number: "26-CR-1", Defendant: "MOONSAIL, WREN"}, testdb.Case{Number: "26-SENTINEL-2", Defendant: "SENTINEL, C", Withheld: "restricted"},
		testdb.Link{Booking: "fulton-2026-000001", Offender: "1000412"}, testdb.Link{Booking: "fulton-2026-000002", Offender: "1000412"},
		testdb.CourtLink{Case: "26-CR-1", Booking: "fulton-2026-000002"}, testdb.CourtLink{Case: "26-SENTINEL-2", Booking: "fulton-2026-000001"},
		testdb.CourtLink{Case: "26-SENTINEL-2", Offender: "1000412"},
	)
	w := b.as("ada@example.org")
	court := "/cases/" + b.caseID("26-CR-1")
	for _, path := range []string{"/roster/fulton-2026-000001", "/corrections/1000412", court} {
		page := text(t, w.get(path))
		require.Contains(t, page, "Moonsail, Wren", path)
		require.NotContains(t, page, "SENTINEL", path)
		require.NotContains(t, page, "fulton-2026-000002", path)
	}
	elsewhere := strings.Replace(court, "-fulton-", "-cobb-", 1)
	for _, path := range []string{"/roster/fulton-2026-000002", "/corrections/1000413", "/roster/x", "/corrections/x", "/cases/x", elsewhere} {
		resp := w.get(path)
		require.Equal(t, http.StatusNotFound, resp.StatusCode, path)
		require.Contains(t, text(t, resp), "No such record", path)
	}
}

// TestARecordWithManyLinksCostsNoMoreStatements adds more linked records than a page shows.
func TestARecordWithManyLinksCostsNoMoreStatements(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	w := b.as("ada@example.org")
	b.db.Add(t, testdb.Offender{GdcID: "1000412", Name: "MOONSAIL, WREN"}, testdb.Case{Number: "26-CR-0", Defendant: "MOONSAIL, WREN"})
	add := func(from, to int) {
		for i := from; i < to; i++ {
			id, number := fmt.Sprintf("fulton-2026-%06d", i), fmt.Sprintf("26-CR-%d", i)
			charges := []string{strings.Repeat("AGGRAVATED ASSAULT ", 5), strings.Repeat("SIMPLE BATTERY ", 5)}
			b.db.Add(t,
				testdb.Booking{ID: id, Name: "MOONSAIL, WREN", Charges: charges}, testdb.Link{Booking: id, Offender: "1000412"},
				testdb.Case{Number: number, Defendant: "MOONSAIL, WREN", Offense: charges[0]},
				testdb.CourtLink{Case: number, Booking: "fulton-2026-000001"}, testdb.CourtLink{Case: number, Offender: "1000412"},
				testdb.CourtLink{Case: "26-CR-0", Booking: id})
		}
	}
	add(1, 3)
	paths := []string{"/roster/fulton-2026-000001", "/corrections/1000412", "/cases/" + b.caseID("26-CR-0")}
	cost := func(path string) int64 {
		before := b.asked.Load()
		resp := w.get(path)
		require.Equal(t, http.StatusOK, resp.StatusCode, path)
		require.Less(t, len(text(t, resp)), pageBytes, path)
		return b.asked.Load() - before
	}
	few := map[string]int64{}
	for _, path := range paths {
		cost(path) // whose session was seen just now
		few[path] = cost(path)
	}
	add(3, 60)
	for _, path := range paths {
		require.InDelta(t, few[path], cost(path), 1, "%s: the sources are read once a second", path)
		require.Less(t, few[path], int64(20), path)
		require.Regexp(t, `25 of 5\d shown\. GraphQL has all of them\.`, text(t, w.get(path)), path)
	}
}

func TestACalendarAddressIsMadeShownOnceAndEnded(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.user(b.newAccount("other@example.org", models.Enterprise), "eve@example.org", models.Member, false)
	b.db.Add(t, testdb.Case{Number: "26-CR-1", Defendant: "MOONSAIL, WREN"}, testdb.Case{Number: "26-CR-2", Defendant: "MOONSAIL, WREN", Withheld: "restricted"})
	w, path := b.as("ada@example.org"), "/cases/"+b.caseID("26-CR-1")
	address := regexp.MustCompile(regexp.QuoteMeta(b.url) + `/feeds/rcf_\w{26}/hearings\.ics`)

	form := []string{"once", "one token"}
	made := w.post(path+"/calendar", form...)
	require.Equal(t, http.StatusOK, made.StatusCode)
	page := text(t, made)
	require.Regexp(t, address, page)
	require.Contains(t, page, `<details class="data" id="calendar" open>`)
	require.Equal(t, address.FindString(page), address.FindString(text(t, w.post(path+"/calendar", form...))), "a second press makes no second one")
	page = text(t, w.get(path))
	require.NotRegexp(t, address, page, "shown once")
	require.Contains(t, page, "Active addresses")
	end := regexp.MustCompile(`action="(`+path+`/calendar/[^"]+/end)"`).FindAllStringSubmatch(page, -1)
	require.Len(t, end, 1)

	require.Equal(t, http.StatusNotFound, b.as("eve@example.org").post(end[0][1]).StatusCode, "another account ends nothing")
	require.NotContains(t, text(t, b.as("eve@example.org").get(path)), "Active addresses")
	ended := w.post(end[0][1])
	require.Equal(t, path+"?done=calendar-ended#calendar", ended.Header.Get("Location"))
	page = text(t, w.get(path+"?done=calendar-ended"))
	require.Contains(t, page, "It no longer works.")
	require.NotContains(t, page, "Active addresses")
	for _, line := range []string{"calendar address created", "calendar address ended", "26-CR-1"} {
		require.Contains(t, text(t, w.get("/settings/trail")), line)
	}
	require.Equal(t, http.StatusNotFound, w.post("/cases/case-fulton-999/calendar").StatusCode)

	require.Equal(t, http.StatusForbidden, func() int {
		b.user(b.newAccount("free@example.org", models.Free), "free@example.org", models.Member, false)
		return b.as("free@example.org").post(path + "/calendar").StatusCode
	}(), "records need the plan")
}
