package web_test

import (
	"html"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// watched is the page of an alert as a browser without scripts holds it.
type watched struct {
	w        *browser
	at, page string
}

func (b *bundle) watched(email, id string) *watched {
	b.t.Helper()
	a := &watched{w: b.as(email), at: "/alerts/" + id}
	a.open(a.at)
	return a
}

func (a *watched) open(address string) {
	a.w.t.Helper()
	resp := a.w.get(address)
	require.Equal(a.w.t, http.StatusOK, resp.StatusCode)
	a.page = text(a.w.t, resp)
}

// judge presses the button of the page whose value begins with do.
func (a *watched) judge(do string) int {
	a.w.t.Helper()
	button := regexp.MustCompile(`name="do" value="(` + do + `[^"]*)"`).FindStringSubmatch(a.page)
	require.NotNil(a.w.t, button, "no button %s: %s", do, a.page)
	resp := a.w.post(a.at+"/hits", "do", button[1])
	a.page = text(a.w.t, resp)
	return resp.StatusCode
}

// form are the fields of the form that changes the alert, as the page has them, but for those given.
func (a *watched) form(but ...string) []string {
	a.w.t.Helper()
	_, form, is := strings.Cut(a.page, `id="edit"`)
	require.True(a.w.t, is, a.page)
	form, _, _ = strings.Cut(form, "</form>")
	given := map[string]bool{}
	for i := 0; i < len(but); i += 2 {
		given[but[i]] = true
	}
	fields := but
	add := func(name, value string) {
		if !given[name] {
			fields = append(fields, name, html.UnescapeString(value))
		}
	}
	for _, m := range regexp.MustCompile(`<input [^>]*?name="(\w+)"[^>]*\svalue="([^"]*)"([^>]*)>`).FindAllStringSubmatch(form, -1) {
		if m[1] == "once" || (m[1] == "events" || m[1] == "level") && !strings.Contains(m[3], " checked") {
			continue
		}
		add(m[1], m[2])
	}
	if m := regexp.MustCompile(`<option value="(\w+)"[^>]* selected`).FindStringSubmatch(form); m != nil {
		add("county", m[1])
	}
	add("note", regexp.MustCompile(`(?s)<textarea[^>]*>\n(.*?)</textarea>`).FindStringSubmatch(form)[1])
	return fields
}

// save sends that form.
func (a *watched) save(but ...string) *http.Response {
	a.w.t.Helper()
	return a.w.post(a.at, a.form(but...)...)
}

func TestAnAlertIsWorkedWithoutScripts(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	alert := b.found(models.NewWatcher{Name: "Wren Moonsail", Label: new("docket"), Note: new("ask <Bea>")}, "MOONSAIL, WREN", "MOONSAIL, WREN <b>")
	ada := b.watched("ada@example.org", alert.ID)
	for _, part := range []string{
		"<h1><bdi>Wren Moonsail</bdi></h1>", "docket", "ask &lt;Bea&gt;", "2 hits", `Moonsail, Wren &lt;b&gt;`, "Hall County</a> · booked <time", "born Feb 3, 2001", "The name agrees; birth not compared",
		"<li>surname agrees</li>", "2 hits without an answer", "booked, released, bond changed", "Nothing was changed since it was created.", `href="/deliveries?alert=` + alert.ID + `"`, "(not covered)",
	} {
		require.Contains(t, ada.page, part)
	}
	require.NotContains(t, ada.page, "JavaScript")

	t.Log("matches are judged, and judged anew")
	require.Equal(t, http.StatusOK, ada.judge("confirm hit_1 "))
	for _, part := range []string{"Confirmed.</span>", "Last changed by ada@example.org.", "1 of 1 confirmed (100%); 1 hit without an answer"} {
		require.Contains(t, ada.page, part)
	}
	require.Equal(t, http.StatusOK, ada.judge("undo hit_1 "))
	require.Equal(t, http.StatusOK, ada.judge("dismiss hit_2 "))
	require.Contains(t, ada.page, "Not them. This alert won’t report this person again. It still reports other people with this name.")
	require.NotContains(t, ada.page, `value="spelling hit_1 `, "the watched name itself is no other spelling")
	require.NotContains(t, ada.page, `<button class="small-button" name="do" value="dismiss hit_2 `)
	require.Equal(t, http.StatusOK, ada.judge("spelling hit_2 "))
	require.Contains(t, ada.page, "Not them. This alert won’t report anyone whose name is spelled this way.")
	require.Equal(t, http.StatusBadRequest, ada.w.post(ada.at+"/hits", "do", "confirm").StatusCode)

	t.Log("the alert is changed, and its history says what was")
	to := ada.save("name", "Wren Moonsale", "county", "hall", "born", "34", "level", "WIDE", "events", "BOOKING", "note", "").Header.Get("Location")
	require.Equal(t, ada.at+"?done=alert-changed", to)
	ada.open(to)
	for _, part := range []string{"The alert was changed.", "aged 34 on ", `<span class="quiet"><bdi>Wren Moonsail</bdi></span>`, "<b><bdi>Hall</bdi></b>", "<b><bdi>wide</bdi></b>", "Note changed", "ada@example.org · ", "<b><bdi>booked</bdi></b>"} {
		require.Contains(t, ada.page, part)
	}
	_, err := b.db.Pool.Exec(t.Context(), `update watchers set age_on = age_on - 10 where id = $1`, alert.ID)
	require.NoError(t, err)
	before, err := b.store.Watcher(t.Context(), b.account.ID, alert.ID)
	require.NoError(t, err)
	ada.open(ada.at)
	require.Equal(t, http.StatusSeeOther, ada.save("label", "another").StatusCode)
	now, err := b.store.Watcher(t.Context(), b.account.ID, alert.ID)
	require.NoError(t, err)
	require.Equal(t, before.AgeOn, now.AgeOn, "an age that was left keeps its day")

	t.Log("it is paused and goes on, and is deleted")
	require.Equal(t, ada.at+"?done=alert-paused", ada.w.post(ada.at+"/pause").Header.Get("Location"))
	ada.open(ada.at + "?done=alert-paused")
	require.Contains(t, ada.page, `<span class="chip">paused</span>`)
	require.Contains(t, ada.page, "The alert is paused.")
	require.Equal(t, ada.at+"?done=alert-resumed", ada.w.post(ada.at+"/resume").Header.Get("Location"))
	require.Equal(t, "/alerts?done=alert-deleted", ada.w.post(ada.at+"/delete").Header.Get("Location"))
	require.Equal(t, http.StatusNotFound, ada.w.get(ada.at).StatusCode)
	trail := text(t, ada.w.get("/settings/trail"))
	for _, says := range []string{"hit confirmed", "hit answer undone", "hit marked as not them", "alert changed", "alert paused", "alert resumed", "alert deleted"} {
		require.Contains(t, trail, says)
	}
}

func TestAMistakeInAnAlertStandsAtItsField(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	alert := b.found(models.NewWatcher{Name: "Wren Moonsail", Label: new("docket")})
	ada := b.watched("ada@example.org", alert.ID)
	for name, c := range map[string]struct{ field, value, says, marked string }{
		"a last name alone":         {"name", "Moonsail", "matches everyone who has it", `value="Moonsail" aria-describedby="problem name-hint" aria-invalid="true" autofocus`},
		"a day that is none":        {"born", "2001-02-31", "There is no such day", `value="2001-02-31" aria-describedby="problem" aria-invalid="true" autofocus`},
		"no birth at all":           {"born", "spring", "Write a birth date such as 10/28/1995", `value="spring" aria-describedby="problem" aria-invalid="true"`},
		"an age of nobody":          {"born", "130", "from 1 to 120", `value="130" aria-describedby="problem" aria-invalid="true"`},
		"a year ahead":              {"born", "2999", "The year of birth must be a year from 1900", `value="2999" aria-describedby="problem" aria-invalid="true"`},
		"a label that is too long":  {"label", strings.Repeat("x", 201), "at most 200 characters", `aria-describedby="problem" aria-invalid="true"`},
		"a county that there isn’t": {"county", "nowhere", "nowhere", `name="county" aria-describedby="problem" aria-invalid="true"`},
	} {
		resp := ada.save(c.field, c.value, "note", "what was <written>")
		require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode, name)
		page := text(t, resp)
		require.Contains(t, page, c.says, name)
		require.Contains(t, page, c.marked, name)
		require.Contains(t, page, "what was &lt;written&gt;", name)
		require.Contains(t, page, `<details class="card data edit" open>`, name)
	}
	form := ada.form()
	var bare []string
	for i := 0; i < len(form); i += 2 {
		if form[i] != "events" {
			bare = append(bare, form[i], form[i+1])
		}
	}
	resp := ada.w.post(ada.at, bare...)
	require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode)
	require.Contains(t, text(t, resp), `<fieldset class="choices" aria-describedby="problem">`)
	now, err := b.store.Watcher(t.Context(), b.account.ID, alert.ID)
	require.NoError(t, err)
	require.Equal(t, alert.Version(), now.Version(), "nothing was changed")
}

func TestTwoReadersOfAnAlertUndoNothingOfEachOther(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.user(b.account, "bea@example.org", models.Member, false)
	alert := b.found(models.NewWatcher{Name: "Wren Moonsail", Label: new("docket")}, "MOONSAIL, WREN")
	ada, bea := b.watched("ada@example.org", alert.ID), b.watched("bea@example.org", alert.ID)

	require.Equal(t, http.StatusOK, ada.judge("confirm hit_1 "))
	require.Equal(t, http.StatusConflict, bea.judge("dismiss hit_1 "))
	require.Regexp(t, `Ada@example.org changed this hit on [^:]+:\d\d [AP]M ET: it is confirmed now. Your change was not made.`, bea.page)
	require.Contains(t, bea.page, `<span class="small quiet">Confirmed.</span>`, "it stands as it is")

	require.Equal(t, http.StatusSeeOther, ada.save("label", "court").StatusCode)
	resp := bea.save("label", "what bea wrote", "note", "and this")
	require.Equal(t, http.StatusConflict, resp.StatusCode)
	bea.page = text(t, resp)
	for _, part := range []string{"Someone changed this alert while you were editing. Nothing was saved. The alert is now:", "<dd>court</dd>", `value="what bea wrote"`, "and this</textarea>", ">Discard my changes<"} {
		require.Contains(t, bea.page, part)
	}
	t.Log("saved once more, what was written takes the place of the other")
	require.Equal(t, http.StatusSeeOther, bea.save().StatusCode)
	now, err := b.store.Watcher(t.Context(), b.account.ID, alert.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"what bea wrote", "and this"}, []string{*now.Label, *now.Note})

	t.Log("an account sees and changes nothing of another")
	b.user(b.newAccount("other@example.org", models.Enterprise), "mallory@example.org", models.Owner, false)
	mallory := b.as("mallory@example.org")
	require.Equal(t, http.StatusNotFound, mallory.get(ada.at).StatusCode)
	for _, form := range []string{"", "/hits", "/widen", "/resume", "/pause", "/delete"} {
		require.Equal(t, http.StatusNotFound, mallory.post(ada.at+form, "do", "undo hit_1 1", "name", "Wren Moonsail", "events", "BOOKING").StatusCode, form)
	}
}

func TestAnAlertWithoutACoveredJailIsWidened(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.exec(`insert into sources (id, title, kind, enabled, county_id, interval_seconds) select 'jail-hall', 'Hall jail', 'roster', true, id, 3600 from counties where slug = 'hall'`)
	alert := b.found(models.NewWatcher{Name: "Wren Moonsail", County: new("echols")})
	ada := b.watched("ada@example.org", alert.ID)
	require.Contains(t, ada.page, "We don’t cover the Echols County jail. An alert there finds no one until we do.")
	require.Contains(t, ada.page, `<span class="chip warn">not covered</span>`)
	require.Contains(t, ada.page, "We don’t cover any jail that this alert watches.")
	require.NotContains(t, ada.page, "People already in custody")
	resp := ada.w.post(ada.at+"/widen", "seen", "another")
	require.Equal(t, http.StatusConflict, resp.StatusCode)
	require.Contains(t, text(t, resp), "It was changed after you read it")
	to := ada.w.post(ada.at+"/widen", "seen", alert.Version()).Header.Get("Location")
	require.Equal(t, ada.at+"?widened=echols", to)
	now, err := b.store.Watcher(t.Context(), b.account.ID, alert.ID)
	require.NoError(t, err)
	require.Nil(t, now.County)
	ada.open(to)
	require.Regexp(t, `id="done" role="status">Now watching the 1 covered county\. Echols County is not one of them\.<`, ada.page)
	require.Regexp(t, `all of Georgia <span\s+class="quiet small">\d+ of 159 counties covered<`, ada.page)
	require.Regexp(t, `All of Georgia \(\d+ of 159 counties covered\)`, text(t, ada.w.get("/alerts")))
	ada.open(ada.at + "?widened=nowhere")
	require.NotContains(t, ada.page, `id="done"`)
}

func TestLongListsOfAnAlertHavePages(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	const hits = 60
	for i := range hits {
		b.db.Add(t, testdb.Booking{ID: "dade-2026-" + strconv.Itoa(100000+i), County: "dade", Name: "MOONSAIL, WREN " + strconv.Itoa(i)})
	}
	alert := b.found(models.NewWatcher{Name: "Wren Moonsail"})
	for i := range hits {
		_, err := b.store.UpdateWatcher(t.Context(), b.account.ID, alert.ID, models.WatcherChange{Label: new(strconv.Itoa(i))})
		require.NoError(t, err)
	}
	ada := b.watched("ada@example.org", alert.ID)
	more := regexp.MustCompile(`href="(/alerts/[^"]+)" data-more`)
	next := more.FindAllStringSubmatch(ada.page, -1)
	require.Len(t, next, 2)
	require.Equal(t, 25, strings.Count(ada.page, "data-hit="))
	require.Equal(t, 25, strings.Count(ada.page, "data-edit="))
	require.Less(t, len(ada.page), 100_000)
	ada.open(html.UnescapeString(next[0][1]))
	require.Equal(t, 25, strings.Count(ada.page, "data-hit="))
	require.Contains(t, ada.page, "60 hits")
	t.Log("who answers a match behind the first ones stays there")
	id := regexp.MustCompile(`data-hit="(hit_\d+)"`).FindStringSubmatch(ada.page)[1]
	after := regexp.MustCompile(`name="after" value="([^"]+)"`).FindStringSubmatch(ada.page)[1]
	resp := ada.w.post(ada.at+"/hits", "do", "confirm "+id+" 0", "after", after)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Contains(t, text(t, resp), `data-hit="`+id+`"`)
	ada.open(html.UnescapeString(next[1][1]))
	require.Equal(t, 25, strings.Count(ada.page, "data-edit="))
	require.Equal(t, http.StatusNotFound, ada.w.get(ada.at+"?after=hit_none").StatusCode)
	require.Equal(t, http.StatusNotFound, ada.w.get(ada.at+"?edits=none").StatusCode)
}

func TestAnAlertWithoutMatchesSaysWhatPeopleInCustodyCountFor(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.exec(`insert into sources (id, title, kind, enabled, county_id, interval_seconds) select 'jail-hall', 'Hall jail', 'roster', true, id, 3600 from counties where slug = 'hall'`)
	const booked, later = "People already in custody don’t count as booked.", "You’ll still hear of their release or a bond change."
	all := b.watched("ada@example.org", b.found(models.NewWatcher{Name: "Wren Moonsail"}).ID).page
	require.Contains(t, all, booked+" "+later)
	bookings := b.found(models.NewWatcher{Name: "Ida Stormcrow", Events: new([]models.EventKind{models.EventBooking})})
	require.NotContains(t, b.watched("ada@example.org", bookings.ID).page, later)
}

func TestWhatNeedsScriptsIsNotShownWithoutThem(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	ada := b.as("ada@example.org")
	css, err := os.ReadFile("static/dashboard.css")
	require.NoError(t, err)
	require.Regexp(t, `@media \(scripting: none\) \{[^}]*\.scripted \{\s*display: none;`, string(css))
	require.Contains(t, text(t, ada.get("/activity")), `class="bar scripted" id="wire"`)
}

func TestAnAlertIsCreatedWithoutScripts(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	ada := b.as("ada@example.org")
	b.exec(`insert into sources (id, title, kind, enabled, county_id, interval_seconds) select 'jail-hall', 'Hall jail', 'roster', true, id, 3600 from counties where slug = 'hall'`)
	b.db.Add(t, testdb.Booking{ID: "hall-2026-000009", County: "hall", Name: "MOONSAIL, WREN Q", At: time.Now().Format(time.RFC3339)})
	form := text(t, ada.get("/alerts/new?name=Wren+Moonsail&county=hall&born=1990"))
	require.Regexp(t, `(?s)name="name"[^>]*value="Wren Moonsail".*value="hall"[^>]* selected.*name="born"[^>]*value="1990"`, form)
	create := func(fields ...string) string {
		page := text(t, ada.get("/alerts/new"))
		once := regexp.MustCompile(`name="once" value="([^"]+)"`).FindStringSubmatch(page)
		return text(t, ada.post("/alerts/new", append(fields, "once", once[1], "events", "BOOKING")...))
	}
	refused := create("name", "Moonsail", "level", "NORMAL")
	require.Contains(t, refused, "Not created.")
	require.Regexp(t, `name="name"[^>]*aria-invalid="true" autofocus`, refused)
	t.Log("what it would have found is shown first, and what speaks against it")
	sureOf := func(page string) string {
		require.Contains(t, page, "Not created yet.")
		return html.UnescapeString(regexp.MustCompile(`name="sure" value="([^"]+)"`).FindStringSubmatch(page)[1])
	}
	asked := create("name", "Wren Moonsail", "level", "WIDE")
	require.Contains(t, asked, "Level wide sends the most wrong alerts.")
	require.Regexp(t, `<b class="num">1</b> booking of 1 person in 30 days`, asked)
	require.Contains(t, asked, "Moonsail, Wren Q")
	require.NotContains(t, text(t, ada.get("/alerts")), "Wren Moonsail")
	create("name", "Wren Moonsail", "level", "WIDE", "sure", sureOf(asked))
	copied := create("name", "Wren Moonsail", "level", "WIDE")
	require.Contains(t, copied, "A second one would report each match twice.")
	require.Contains(t, copied, "Create anyway</button>")
	blind := create("name", "Ida Stormcrow", "level", "NORMAL", "born", "3/4/1990", "county", "echols")
	require.Contains(t, blind, "We don’t cover the Echols County jail.")
	require.Contains(t, blind, "Select Create alert if you still want it.")
	require.NotContains(t, blind, "#preview-head")
	require.Contains(t, blind, "Watch all of Georgia</button>")
	wider := create("name", "Ida Stormcrow", "level", "NORMAL", "born", "3/4/1990", "county", "echols", "everywhere", "yes", "sure", sureOf(blind))
	require.NotContains(t, wider, "Watch all of Georgia")
	require.Regexp(t, `name="sure" value="Ida Stormcrow\|\|`, wider, "all of Georgia is asked about anew")
	create("name", "Ida Stormcrow", "level", "NORMAL", "born", "3/4/1990", "county", "echols", "sure", sureOf(blind))
	list := text(t, ada.get("/alerts"))
	for _, part := range []string{"Wren Moonsail", "Ida Stormcrow", "born Mar 4, 1990"} {
		require.Contains(t, list, part)
	}
}

func TestABirthIsReadInTheFormsOfAlerts(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	alert := b.found(models.NewWatcher{Name: "Wren Moonsail"})
	ada := b.watched("ada@example.org", alert.ID)
	form := text(t, ada.w.get("/alerts/new?name=Wren+Moonsail&born=10%2F28%2F1995"))
	require.Regexp(t, `value="10/28/1995"\s+data-dob="1995-10-28" data-birth-year=""\s+data-years=""`, form, "the script reads it there")
	form = text(t, ada.w.get("/alerts/new?name=Wren+Moonsail&born=1985-05-06"))
	require.Regexp(t, `value="5/6/1985"\s+data-dob="1985-05-06"`, form, "a link's date is shown as it is typed")
	form = text(t, ada.w.get("/alerts/new?name=Wren+Moonsail&born=95"))
	require.Contains(t, form, "Write 1995 for a year of birth, or “aged 95” for an age.")
	require.NotContains(t, form, "Not created.")

	require.Equal(t, http.StatusUnprocessableEntity, ada.save("born", "95").StatusCode)
	require.Equal(t, http.StatusSeeOther, ada.save("born", "aged 95").StatusCode)
	ada.open(ada.at)
	require.Contains(t, ada.page, `value="aged 95"`)
	require.Equal(t, http.StatusSeeOther, ada.save("born", "Oct 28, 1995").StatusCode)
	now, err := b.store.Watcher(t.Context(), b.account.ID, alert.ID)
	require.NoError(t, err)
	require.Equal(t, "1995-10-28", now.Dob.String())
	ada.open(ada.at)
	require.Contains(t, ada.page, `value="10/28/1995"`)
}
