package web_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// found stores hits of a new alert on bookings of those names, each with an id hit_1, hit_2 ..., and returns the alert.
func (b *bundle) found(n models.NewWatcher, names ...string) *models.Watcher {
	b.t.Helper()
	w, err := b.store.CreateWatcher(b.t.Context(), b.account.ID, &n)
	require.NoError(b.t, err)
	for i, name := range names {
		b.db.Add(b.t, testdb.Booking{ID: "hall-2026-00000" + string(rune('1'+i)), County: "hall", Name: name, DOB: "2001-02-03", Changed: testdb.Fetched})
	}
	_, err = b.db.Pool.Exec(b.t.Context(), `insert into hits (id, account_id, watcher_id, rid, probability, reasons, at)
select 'hit_' || row_number() over (order by b.id), $1, $2, b.rid, 0.97, '{"surname agrees","first name agrees"}', now() - row_number() over (order by b.id) * interval '1 minute' from bookings b`, b.account.ID, w.ID)
	require.NoError(b.t, err)
	return w
}

// desk is the inbox as a browser without scripts holds it.
type desk struct {
	w    *browser
	page string
}

func (d *desk) open(address string) {
	d.w.t.Helper()
	resp := d.w.get(address)
	require.Equal(d.w.t, http.StatusOK, resp.StatusCode)
	d.page = text(d.w.t, resp)
}

var hiddenOfInbox = regexp.MustCompile(`<input type="hidden" name="(once|show|alert|label|after|shown|were)" value="([^"]*)"`)

// press sends the form of the page that is shown by the button whose value begins with do.
func (d *desk) press(do string, fields ...string) int {
	d.w.t.Helper()
	_, form, is := strings.Cut(d.page, `<form id="inbox"`)
	require.True(d.w.t, is, d.page)
	button := regexp.MustCompile(`name="do" value="(` + do + `[^"]*)"`).FindStringSubmatch(form)
	require.NotNil(d.w.t, button, "no button %s: %s", do, form)
	fields = append(fields, "do", button[1])
	for _, m := range hiddenOfInbox.FindAllStringSubmatch(form, -1) {
		fields = append(fields, m[1], html.UnescapeString(m[2]))
	}
	resp := d.w.post("/inbox", fields...)
	d.page = text(d.w.t, resp)
	return resp.StatusCode
}

func TestTheInboxIsWorkedWithoutScripts(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.user(b.account, "bea@example.org", models.Member, false)
	ada := &desk{w: b.as("ada@example.org")}
	ada.open("/inbox")
	require.Contains(t, ada.page, "No unread hits")
	require.NotContains(t, ada.page, `class="unread`)
	b.found(models.NewWatcher{Name: "Wren Moonsail", Label: new("docket")}, "MOONSAIL, WREN", "MOONSAIL, WREN <b>", "MOONSAIL, WREN C")
	ada.open("/inbox")
	for _, part := range []string{
		"Today", "Hall County", "born Feb 3, 2001", "name only", "surname agrees · first name agrees", "Wren Moonsail</bdi></a> (docket)", "MOONSAIL, WREN &lt;b&gt;",
		`>3<span class="visually-hidden"> unread</span>`, "Mark all 3 here as read", `<option selected value="ada@example.org">me</option>`,
	} {
		require.Contains(t, ada.page, part)
	}
	require.Less(t, strings.Index(ada.page, "hall-2026-000001"), strings.Index(ada.page, "hall-2026-000002"), "newest first")

	require.Equal(t, http.StatusOK, ada.press("confirm hit_1 ", "to", "ada@example.org"))
	require.Contains(t, ada.page, "Confirmed: Moonsail, Wren. The alert goes on as before.</bdi>")
	require.NotContains(t, ada.page, "hall-2026-000001")
	require.Equal(t, http.StatusOK, ada.press("undo hit_1 "), "what was done last is taken back")
	require.Contains(t, ada.page, "hall-2026-000001")
	require.Equal(t, http.StatusOK, ada.press("assign hit_2 ", "to", "bea@example.org"))
	require.Contains(t, ada.page, "Assigned to bea@example.org: Moonsail, Wren")
	require.Contains(t, ada.page, `<option selected value="bea@example.org">`, "the choice stays")

	bea := &desk{w: b.as("bea@example.org")}
	bea.open("/inbox?show=mine")
	require.Contains(t, bea.page, "hall-2026-000002")
	require.Contains(t, bea.page, "Last changed by ada@example.org.")
	require.Equal(t, http.StatusOK, bea.press("dismiss hit_2 "))
	bea.open("/inbox?show=dismissed")
	require.Contains(t, bea.page, "hall-2026-000002")

	ada.open("/inbox")
	require.Equal(t, http.StatusOK, ada.press("read shown"))
	require.Contains(t, ada.page, "2 hits marked as read.")
	require.Equal(t, http.StatusOK, ada.press("unread were"))
	require.Contains(t, ada.page, "2 hits marked as unread.")
	require.Contains(t, ada.page, "hall-2026-000003")
	require.Equal(t, http.StatusOK, ada.press("read shown"))
	require.Contains(t, ada.page, "No unread hits")
	ada.open("/inbox?show=read&label=docket")
	require.Contains(t, ada.page, "Only hits of alerts labelled docket")
	require.Equal(t, http.StatusOK, ada.press("unread hit_3 "))
	require.Contains(t, ada.page, "Marked as unread: Moonsail, Wren")

	t.Log("several are handled together, by what handles one")
	ada.open("/inbox?show=read")
	require.Equal(t, http.StatusUnprocessableEntity, ada.press("confirm selected"))
	require.Contains(t, ada.page, "Select the hits first: nothing was changed.")
	ada.open("/inbox?show=unread")
	token := regexp.MustCompile(`name="selected" value="(hit_3 [^"]+)"`).FindStringSubmatch(ada.page)
	require.NotNil(t, token, ada.page)
	require.Equal(t, http.StatusOK, ada.press("dismiss selected", "selected", token[1], "selected", "hit_2 old"))
	require.Contains(t, ada.page, "1 hit marked as not them. Its alert won’t report this person again. 1 hit was left as before, because someone changed it after you opened the page.")
	require.Equal(t, http.StatusOK, ada.press("undo were"))
	require.Contains(t, ada.page, "1 answer undone.")
	require.Equal(t, http.StatusOK, ada.press("assign hit_3 ", "to", "ada@example.org"))
	ada.open("/inbox?show=mine")
	require.Equal(t, http.StatusOK, ada.press("nobody hit_3 ", "to", "ada@example.org"))
	require.Equal(t, http.StatusOK, ada.press("assign hit_3 ", "to", "ada@example.org"), "taken back")
	require.Contains(t, ada.page, "hall-2026-000003")

	trail := text(t, ada.w.get("/settings/trail"))
	for _, says := range []string{"hit confirmed", "hit answer undone", "hit assigned", "hit marked as not them"} {
		require.Contains(t, trail, says)
	}
	require.Equal(t, http.StatusBadRequest, ada.w.post("/inbox", "do", "confirm").StatusCode)
}

func TestASecondReaderReadsWhoWasThereBefore(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.user(b.account, "bea@example.org", models.Member, false)
	b.found(models.NewWatcher{Name: "Wren Moonsail"}, "MOONSAIL, WREN", "MOONSAIL, WREN B")
	ada, bea := &desk{w: b.as("ada@example.org")}, &desk{w: b.as("bea@example.org")}
	ada.open("/inbox")
	bea.open("/inbox")
	require.Equal(t, http.StatusOK, ada.press("confirm hit_1 "))
	require.Equal(t, http.StatusConflict, bea.press("dismiss hit_1 "))
	require.Regexp(t, `Ada@example.org changed this hit on [^:]+:\d\d [AP]M ET: it is confirmed now. Your change was not made.`, bea.page)
	require.NotContains(t, bea.page, "hall-2026-000001", "it is not unread any more")
	h, err := b.store.Hit(t.Context(), b.account.ID, "hit_1")
	require.NoError(t, err)
	require.Equal(t, new(models.Confirm), h.Feedback)

	t.Log("nor does marking all as read touch what somebody handled meanwhile")
	bea.open("/inbox")
	ada.open("/inbox")
	require.Equal(t, http.StatusOK, ada.press("assign hit_2 ", "to", "ada@example.org"))
	require.Equal(t, http.StatusOK, bea.press("read shown"))
	require.Contains(t, bea.page, "0 hits marked as read. 1 hit was left as before, because someone changed it")

	t.Log("another account sees and changes nothing")
	b.user(b.newAccount("other@example.org", models.Enterprise), "mallory@example.org", models.Owner, false)
	mallory := &desk{w: b.as("mallory@example.org")}
	mallory.open("/inbox?show=confirmed")
	require.NotContains(t, mallory.page, "MOONSAIL")
	resp := mallory.w.post("/inbox", "do", "undo hit_1 1")
	require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode)
	require.Contains(t, text(t, resp), "There is no hit with this id.")
}

func TestAHitNarrowsItsAlertOnceWhatItChangesIsShown(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.db.Add(t, testdb.Booking{ID: "dade-2026-000001", County: "dade", Name: "MOONSAIL, WREN Z"}, testdb.Booking{ID: "dade-2026-000002", County: "dade", Name: "MOONSAIL, WREN Y", BirthYear: 1980})
	alert := b.found(models.NewWatcher{Name: "Wren Moonsail"}, "MOONSAIL, WREN") // hit_1 and hit_2 are those of Dade
	w := b.as("ada@example.org")
	inbox := text(t, w.get("/inbox"))
	at := "/alerts/" + alert.ID + "/narrow"
	for _, part := range []string{">only people born in 2001<", `&amp;by=date">only people born Feb 3, 2001<`, ">only in Hall County<", ">only people born in 1980<", `href="` + at + `?hit=hit_3&amp;by=year"`} {
		require.Contains(t, inbox, part)
	}
	require.Contains(t, text(t, w.get("/alerts/"+alert.ID)), `href="`+at+`?hit=hit_3&amp;by=date"`, "the page of the alert offers the same")
	page := text(t, w.get(at+"?hit=hit_3&by=date"))
	require.Contains(t, page, "Only people born on Feb 3, 2001?")
	require.Contains(t, page, "Of its 3 hits so far, 1 has that birth date; 1 has no full birth date and would still be found; 1 has another.")
	page = text(t, w.get(at+"?hit=hit_3&by=year"))
	require.Contains(t, page, "Only people born in 2001?")
	require.Contains(t, page, "Of its 3 hits so far, 1 has that year of birth; 1 has no birth year and would still be found; 1 has another.")
	require.Contains(t, text(t, w.get(at+"?hit=hit_3&by=county")), "Of its 3 hits so far, 1 is in that county; 2 are elsewhere.")
	stands := func() *models.Watcher {
		t.Helper()
		now, err := b.store.Watcher(t.Context(), b.account.ID, alert.ID)
		require.NoError(t, err)
		return now
	}
	require.Nil(t, stands().BirthYear, "looking changes nothing")
	require.Equal(t, http.StatusUnprocessableEntity, w.post(at, "hit", "hit_3", "by", "year", "version", "another").StatusCode, "what somebody changed meanwhile is left")
	require.Nil(t, stands().BirthYear)

	resp := w.post(at, "hit", "hit_3", "by", "year", "version", alert.Version())
	require.Equal(t, "/inbox?alert="+alert.ID+"&done=narrowed", resp.Header.Get("Location"))
	require.Equal(t, new(2001), stands().BirthYear)
	inbox = text(t, w.get(resp.Header.Get("Location")))
	require.Contains(t, inbox, "The alert was narrowed.")
	require.Contains(t, inbox, "hall-2026-000001", "hits stay")
	require.NotContains(t, inbox, "only people born", "it knows a year now")
	require.Equal(t, http.StatusSeeOther, w.post(at, "hit", "hit_3", "by", "county", "version", stands().Version()).StatusCode)
	require.Equal(t, "hall", stands().County.Slug)
	edits, err := b.store.Edits(t.Context(), b.account.ID, alert.ID, models.Page{Limit: 5})
	require.NoError(t, err)
	require.Len(t, edits, 2)
	require.Equal(t, []string{"ada@example.org", "ada@example.org"}, []string{edits[0].By, edits[1].By}, "its history says who did it")

	for _, nothing := range []string{at + "?hit=hit_3&by=county", at + "?hit=hit_none&by=year", at, "/alerts/alrt_none/narrow?hit=hit_3&by=year"} {
		require.Equal(t, http.StatusNotFound, w.get(nothing).StatusCode, nothing)
	}
	b.user(b.newAccount("other@example.org", models.Enterprise), "mallory@example.org", models.Owner, false)
	require.Equal(t, http.StatusNotFound, b.as("mallory@example.org").post(at, "hit", "hit_3", "by", "year", "version", stands().Version()).StatusCode)
}

func TestAnAnswerThatContradictsAnotherSaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	alert := b.found(models.NewWatcher{Name: "Wren Moonsail"}, "MOONSAIL, WREN", "MOONSAIL, WREN B")
	desk := &desk{w: b.as("ada@example.org")}
	desk.open("/inbox")
	require.Equal(t, http.StatusOK, desk.press("confirm hit_1 "))
	require.NotContains(t, desk.page, `id="opposite"`)
	require.Equal(t, http.StatusOK, desk.press("dismiss hit_2 "))
	require.Contains(t, desk.page, "This also stops the alert for Moonsail, Wren, booked in Hall County, who was confirmed on ")
	require.Contains(t, desk.page, `<a href="/inbox?alert=`+alert.ID+`&amp;show=confirmed">Show that answer</a>`)
	desk.open("/inbox?show=confirmed&alert=" + alert.ID)
	require.Equal(t, http.StatusOK, desk.press("undo hit_1 "), "the way to correct it")

	ada := b.watched("ada@example.org", alert.ID)
	require.Equal(t, http.StatusOK, ada.judge("confirm hit_1 "))
	require.Contains(t, ada.page, "The alert still won’t report this person: Moonsail, Wren B, booked in Hall County, was marked “Not them” on ")
	require.Equal(t, http.StatusOK, ada.judge("undo hit_2 "))
	require.NotContains(t, ada.page, `id="opposite"`)
}
