package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/pathtoken"
	"rollcall/internal/receiver"
	"rollcall/internal/service"
	"rollcall/internal/signedlink"
	"rollcall/models"
	"rollcall/models/delivery"
	"rollcall/notifier"
)

// Three people whose records are hidden after all the world has seen them: of a booking, of a court case, and of a
// corrections record. Whatever their records say has the word SENTINEL in it, and no other record has.

const sealedJail = `id: sealed-jail
title: A jail of a test
kind: roster
county: ware
publish: {policy: full_roster, absence: released}
decode: {format: csv, columns: [id, name, born, booked, bond, agency, charge]}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: ['2006-01-02 15:04']}, bond: bond, agency: agency}
  person: {name: name, dob: {from: born, layouts: ['2006-01-02']}}
  charge: {description: charge}
identity: {booking: [{of: [booking.number], strength: source}]}
`

const sealedCourt = `id: sealed-court
title: A court of a test
kind: courts
county: ware
publish: {policy: delta, absence: nothing}
decode: {format: json}
fields:
  case: {court_type: {const: state}, number: number, defendant: name, dob: {from: born, layouts: ['2006-01-02']}, booking: booking, offense: offense, filed: {from: filed, layouts: ['2006-01-02']}, status: {const: pending}, judge: judge, link: link}
  hearing: {court_type: {const: state}, number: number, date: {from: day, layouts: ['2006-01-02']}, time: {from: clock, layouts: ['15:04']}, judge: judge, location: room, link: link}
  disposition: {court_type: {const: state}, number: number, date: {from: filed, layouts: ['2006-01-02']}, outcome: outcome}
`

const sealedPrison = `id: sealed-prison
title: A department of a test
kind: corrections
publish: {policy: full_roster, absence: unknown}
decode: {format: csv, columns: [id, name, born, status, place, sentence]}
fields:
  offender: {id: id, name: name, dob: {from: born, layouts: ['2006-01-02']}, category: {const: offender}, status: {from: status, values: {ACTIVE: incarcerated}}, institution: place, sentence: sentence}
`

// vault is a served process over people of whom some are hidden later.
type vault struct {
	*terminal
	t       *testing.T
	root    string
	key     string // of the account
	account string
	ada     *reader // an owner and operator
	booked  time.Time
	matcher *notifier.Matcher
	sent    chan notifier.Sent
	said    strings.Builder // by the commands that ran

	then                      string   // an instant at which everything was public
	cursor                    string   // before all events
	followed                  string   // cursor of changes from when everything was public
	booking, offender, number string   // that are hidden
	cases, calendars          []string // that are hidden: cases as GraphQL has them; paths of calendars
	watchers, hits, letters   []string // deliveries are letters
	webhook, mail             string   // endpoints
	bystander, seenCase       string
	lastEvent, lastNotice     string // what the last event and notice say
	hidden                    bool
	pictured                  []string // tokens of the address of the booking's photograph
	mailed, atoms             []string // tokens: of the links of mails about the letters, and of an Atom subscription
}

// newVault serves, with an account that watches two people and a receiver that answers with what it gets.
func newVault(t *testing.T) *vault {
	t.Helper()
	v := &vault{terminal: newTerminal(t), t: t, booked: time.Now().Add(-5 * time.Hour), sent: make(chan notifier.Sent, 100), number: "26-SENTINEL-1"}
	cert, err := receiver.NewCertificate(time.Now())
	require.NoError(t, err)
	echo := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }))
	echo.TLS = cert.Server()
	echo.StartTLS()
	t.Cleanup(echo.Close)
	local := []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	root, door := v.Serve("Desk", func(c *service.Config) { c.WebhookAllow = local })
	v.root, v.account, v.ada = root, v.FirstAccount(), joined(t, root, door)
	v.OK("account", "set", v.account, "--rate-limit", "0")
	v.key = text(t, v.Fields("key", "create", "--account", v.account, "--label", "tests", "--json")["key"])

	app := &service.App{Config: service.Config{DatabaseURL: v.URL, DataDir: v.Data, WebhookAllow: local}, Log: service.NewLogger(io.Discard, 0)}
	store, done, err := app.Store(t.Context())
	require.NoError(t, err)
	t.Cleanup(done)
	v.matcher = &notifier.Matcher{Store: store, Standing: notifier.NewStanding(store, app.Log)}
	sender, err := app.StartDeliveries(t.Context(), v.URL, service.JobOptions{Authority: cert.Authority(), Observe: func(s notifier.Sent) { v.sent <- s }})
	require.NoError(t, err)
	t.Cleanup(sender.Stop)

	v.cursor = text(t, v.asked(`{ eventCursor }`)["eventCursor"])
	v.webhook = v.posted("/webhooks", `{"url": "`+echo.URL+`/hook", "events": ["booking", "release", "bond_change"], "notices": ["sealed", "retraction"]}`)
	taken := models.BinTaken // its page is among those that are walked
	_, err = store.CreateWebhook(t.Context(), v.account, &models.NewWebhook{Events: models.EventKinds(), Notices: []models.Notice{models.NoticeWithheld, models.NoticeRetraction}, Bin: &taken}, []byte("the account has a secret"))
	require.NoError(t, err)
	mail, err := store.CreateEmail(t.Context(), v.account, &delivery.NewEmail{Address: "desk@example.org", Events: models.EventKinds(), Digest: models.DigestNone})
	require.NoError(t, err)
	v.mail = mail.ID
	for _, name := range []string{"Perpetua Zzygloom", "Barnaby Oakenshore"} {
		v.watchers = append(v.watchers, v.posted("/alerts", `{"name": "`+name+`"}`))
	}
	for id, document := range map[string]string{"sealed-jail": sealedJail, "sealed-court": sealedCourt, "sealed-prison": sealedPrison} {
		v.OK("sources", "enable", v.file(id+".yaml", document))
	}
	return v
}

func text(t *testing.T, v any) string {
	t.Helper()
	s, isText := v.(string)
	require.True(t, isText, "%v", v)
	return s
}

func (v *vault) file(name, text string) string {
	v.t.Helper()
	path := filepath.Join(v.Data, name)
	require.NoError(v.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(v.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// call asks with the account's key.
func (v *vault) call(method, path, body string) (int, http.Header, string) {
	v.t.Helper()
	resp := (&reader{t: v.t, root: v.root, client: &http.Client{}}).send(method, path, body, "Authorization", "Bearer "+v.key, "Content-Type", "application/json")
	return resp.StatusCode, resp.Header, all(v.t, resp)
}

func (v *vault) posted(path, body string) (id string) {
	v.t.Helper()
	status, _, said := v.call(http.MethodPost, "/v1"+path, body)
	require.Equal(v.t, http.StatusCreated, status, said)
	var made struct{ ID string }
	require.NoError(v.t, json.Unmarshal([]byte(said), &made))
	return made.ID
}

func (v *vault) asked(document string) map[string]any {
	v.t.Helper()
	body, err := json.Marshal(map[string]string{"query": document})
	require.NoError(v.t, err)
	_, _, said := v.call(http.MethodPost, "/graphql", string(body))
	var answer struct {
		Data   map[string]any
		Errors []any
	}
	require.NoError(v.t, json.Unmarshal([]byte(said), &answer), said)
	require.Empty(v.t, answer.Errors, document)
	return answer.Data
}

// snapshots gives a file of each family, as they are before the sources tell the births (born empty), and after. bond is of
// everybody, in whole dollars.
func (v *vault) snapshots(born string, bond int) (jail, court, prison string) {
	v.t.Helper()
	var b strings.Builder
	w := csv.NewWriter(&b)
	at := v.booked.In(models.Georgia).Format("2006-01-02 15:04")
	require.NoError(v.t, w.WriteAll([][]string{
		{"id", "name", "born", "booked", "bond", "agency", "charge"},
		{"KB-SENTINEL", "ZZYGLOOM, PERPETUA SENTINEL", born, at, fmt.Sprintf("$%d.77", bond), "POLICE SENTINEL", "MISCHIEF SENTINEL"},
		{"KB-0002", "OAKENSHORE, BARNABY", "1980-02-02", at, fmt.Sprintf("$%d.00", bond), "GSP", "TRESPASS"},
	}))
	day := func(n int) string { return v.booked.In(models.Georgia).AddDate(0, 0, n).Format("2006-01-02") }
	row := func(number, name, born, booking, word string) map[string]string {
		return map[string]string{
			"number": number, "name": name, "born": born, "booking": booking, "offense": "LARCENY" + word, "filed": day(0), "judge": "HON. MERRIWEATHER" + word,
			"link": "https://court.example/" + strings.TrimSpace(word), "day": day(9), "clock": "09:30", "room": "ROOM" + word, "outcome": "CONTINUED" + word,
		}
	}
	cases, err := json.Marshal([]map[string]string{
		row(v.number, "VANTWISTLE, ORSON SENTINEL", born, "", " SENTINEL"),
		row("26-SENTINEL-2", "ZZYGLOOM, PERPETUA SENTINEL", "", "KB-SENTINEL", " SENTINEL"),
		row("26-SENTINEL-3", "ZZYGLOOM, P SENTINEL", "", "", " SENTINEL"),
		row("26-CR-4", "OAKENSHORE, BARNABY", "1980-02-02", "", ""),
	})
	require.NoError(v.t, err)
	prison = "id,name,born,status,place,sentence\n90SENTINEL1,\"QUILLFEATHER, IDA SENTINEL\"," + born + ",ACTIVE,SENTINEL STATE PRISON,7 YEARS SENTINEL\n" +
		"9000002,\"OAKENSHORE, BARNABY\",1980-02-02,ACTIVE,DOOLY STATE PRISON,1 YEARS\n"
	return b.String(), string(cases), prison
}

// ingests reads these files and tells watchers of what is new.
func (v *vault) ingests(jail, court, prison string) {
	v.t.Helper()
	for id, f := range map[string][2]string{"sealed-jail": {"jail.csv", jail}, "sealed-court": {"cases.json", court}, "sealed-prison": {"prison.csv", prison}} {
		out := v.OK("ingest", "--source", id, "--file", v.file(f[0], f[1]), "--json")
		v.said.WriteString(out)
	}
	v.matches()
}

func (v *vault) matches() {
	v.t.Helper()
	_, err := v.matcher.Drain(v.t.Context())
	require.NoError(v.t, err)
}

// received waits for so many deliveries to the endpoint, and as many to the request bin.
func (v *vault) received(n int) {
	v.t.Helper()
	for range 2 * n {
		select {
		case s := <-v.sent:
			require.True(v.t, s.Delivered())
		case <-time.After(time.Minute):
			require.Fail(v.t, "a delivery does not come")
		}
	}
}

func pathOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u.Path
}

// publishes lets everybody see everything: three families, links in all directions, events, deliveries, calendars.
func (v *vault) publishes() {
	t := v.t
	t.Helper()
	v.ingests(v.snapshots("", 7319))
	v.received(2)
	v.ingests(v.snapshots("", 7320))
	v.received(2)
	seen := v.asked(`{ roster { records { id name } } courts { records { id caseNumber } } corrections { records { id } } }`)
	ids := func(list, of string) map[string]string {
		out := map[string]string{}
		page, isObject := seen[list].(map[string]any)
		require.True(t, isObject)
		records, isList := page["records"].([]any)
		require.True(t, isList)
		for _, r := range records {
			record, isObject := r.(map[string]any)
			require.True(t, isObject)
			out[text(t, record[of])] = text(t, record["id"])
		}
		return out
	}
	bookings, cases, offenders := ids("roster", "name"), ids("courts", "caseNumber"), ids("corrections", "id")
	require.Len(t, []any{bookings, cases, offenders}, 3)
	v.booking, v.bystander, v.seenCase = bookings["ZZYGLOOM, PERPETUA SENTINEL"], bookings["OAKENSHORE, BARNABY"], cases["26-CR-4"]
	v.cases, v.offender = []string{cases[v.number], cases["26-SENTINEL-2"], cases["26-SENTINEL-3"]}, "90SENTINEL1"
	for _, pair := range [][2]string{{v.booking, "9000002"}, {v.bystander, v.offender}, {v.cases[0], v.bystander}, {v.cases[0], "9000002"}, {v.cases[2], v.booking}, {v.seenCase, v.offender}, {v.seenCase, v.bystander}} {
		v.OK("link", "confirm", pair[0], pair[1])
	}
	for _, c := range v.cases {
		made := v.asked(`mutation { createCalendarFeed(caseId: "` + c + `", label: "hearings SENTINEL") { url } }`)["createCalendarFeed"]
		feed, isObject := made.(map[string]any)
		require.True(t, isObject)
		v.calendars = append(v.calendars, strings.Split(pathOf(t, text(t, feed["url"])), "/")[2])
	}
	v.OK("feed", "create", "--account", v.account, "--case", v.number)
	for _, w := range v.watchers {
		_, _, said := v.call(http.MethodGet, "/v1/alerts/"+w+"/hits", "")
		var page struct{ Hits []struct{ ID string } }
		require.NoError(t, json.Unmarshal([]byte(said), &page))
		require.Len(t, page.Hits, 1, said)
		v.hits = append(v.hits, page.Hits[0].ID)
	}
	_, _, said := v.call(http.MethodGet, "/v1/webhooks/"+v.webhook+"/deliveries", "")
	var page struct{ Deliveries []struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(said), &page))
	require.Len(t, page.Deliveries, 4, said)
	for _, d := range page.Deliveries {
		v.letters = append(v.letters, d.ID)
	}
	for _, record := range []string{v.booking, v.bystander} { // what readers report is for operators, of shown records alone
		require.Equal(t, http.StatusSeeOther, v.ada.submit("/people/"+v.booking+"/report", "record", record, "note", "").StatusCode)
	}
	v.tokens()
	v.followed = text(t, mapOf(t, mapOf(t, v.asked(`{ changes { pageInfo { endCursor } } }`)["changes"])["pageInfo"])["endCursor"])
	v.then, v.lastEvent = time.Now().UTC().Format(time.RFC3339Nano), `"bondAmount":7320,`
}

func mapOf(t *testing.T, v any) map[string]any {
	t.Helper()
	m, isObject := v.(map[string]any)
	require.True(t, isObject, "%v", v)
	return m
}

// tombstones looks at what those who follow changes learn of the hidden records: their ids, and nothing else.
func (v *vault) tombstones() {
	t := v.t
	t.Helper()
	went := []string{}
	list, isList := mapOf(t, v.asked(`{ changes(after: "` + v.followed + `") { changes { id kind mergedInto record { id } } } }`)["changes"])["changes"].([]any)
	require.True(t, isList)
	for _, each := range list {
		if c := mapOf(t, each); c["kind"] == "GONE" {
			require.Nil(t, c["record"])
			require.Nil(t, c["mergedInto"])
			went = append(went, text(t, c["id"]))
		}
	}
	require.ElementsMatch(t, append(slices.Clone(v.cases), v.booking, "gdc-"+v.offender), went)
}

// tokens makes what opens the letters to those who have no account: the links of mails, and a feed.
func (v *vault) tokens() {
	t := v.t
	t.Helper()
	app := &service.App{Config: service.Config{DatabaseURL: v.URL, DataDir: v.Data}, Log: service.NewLogger(io.Discard, 0)}
	secrets, err := app.SecretKeys()
	require.NoError(t, err)
	links, err := signedlink.New(secrets[0], v.root)
	require.NoError(t, err)
	for _, id := range v.letters {
		address := links.URL(signedlink.Hit, signedlink.Target{ID: id, Address: v.account})
		v.mailed = append(v.mailed, address[strings.LastIndex(address, "/")+1:])
	}
	address := links.URL(signedlink.Photograph, signedlink.Target{ID: v.booking, Address: "large"})
	v.pictured = []string{address[strings.LastIndex(address, "/")+1:]}
	store, done, err := app.Store(t.Context())
	require.NoError(t, err)
	defer done()
	token, sha := pathtoken.New()
	_, err = store.CreateAtomSubscription(t.Context(), v.account, "news", sha)
	require.NoError(t, err)
	v.atoms = []string{token}
}

// TestAHiddenRecordIsNowhere seals records that all the world has seen, and looks for them at everything that answers; then
// brings them again in every way there is.
func TestAHiddenRecordIsNowhere(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.publishes()
	shown := v.walk()
	for _, place := range []string{
		"GET /v1/roster", "GET /v1/roster/{id}", "GET /v1/courts", "GET /v1/courts/*", "GET /v1/corrections", "GET /v1/corrections/{gdc_id}", "GET /v1/webhooks/{id}/deliveries", "GET /v1/alerts/{id}/hits",
		"POST /v1/alerts/preview", "GET /people/{id}", "GET /operator/people", "query person(id: \"" + v.booking + "\")", "GET /cases/{id}/hearings.ics", "GET /feeds/{token}/hearings.ics", "GET /feeds/{token}/events.atom", "GET /mail/hit/{token}", "query alertEvents(limit: 20)", "query calendarFeeds", "subscription alertEvents", "rollcall feed list", "rollcall deliveries list", "rollcall watchers export",
	} {
		require.Contains(t, shown, place, "what shows nothing before proves nothing after")
	}

	v.ingests(v.snapshots("2012-03-04", 7321))
	v.hidden, v.lastEvent, v.lastNotice = true, `"bondAmount":7321,`, `"event":"SEALED"`
	v.received(2)
	require.Empty(t, v.walk(), "the sources tell that they are juveniles")
	v.tombstones()
	v.counts()

	for _, c := range []struct {
		name string
		do   func()
	}{
		{"the same files again", func() { v.ingests(v.snapshots("2012-03-04", 7321)) }},
		{"files that no longer tell the births", func() { v.ingests(v.snapshots("", 7322)) }},
		{"the files from before, late, and every run read again from the archive", v.replays},
		{"the records of a system before, which published them", v.imports},
		{"links from the beginning", func() { v.OK("link", "run", "--full") }},
	} {
		c.do()
		v.matches()
		require.Empty(t, v.walk(), c.name)
		v.counts()
	}
}
