package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// manual is what docs/sources.md and docs/sources-examples.md show whole: documents by their id, and other blocks by their kind, in order.
type manual struct {
	documents map[string]string
	blocks    map[string][]string
}

// sourcesManual reads both pages, the tutorial first.
func sourcesManual(t *testing.T) manual {
	t.Helper()
	var page []byte
	for _, name := range []string{"sources.md", "sources-examples.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		require.NoError(t, err)
		page = append(page, text...)
	}
	m := manual{documents: map[string]string{}, blocks: map[string][]string{}}
	for _, block := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(string(page), -1) {
		if id := regexp.MustCompile(`^id: (\S+)\n`).FindStringSubmatch(block[2]); id != nil {
			m.documents[id[1]] = block[2]
			continue
		}
		m.blocks[block[1]] = append(m.blocks[block[1]], block[2])
	}
	return m
}

// crowd is how many people the invented servers list: more than one page of either document.
const crowd = 60

// stockade answers as the page shows it: a cookie at the start, a list for those who bring it back in the header as
// well, and each person; a page holds at most fifty.
func stockade(t *testing.T, list, kept string) *httptest.Server {
	t.Helper()
	var shown struct {
		Count int               `json:"count"`
		Items []json.RawMessage `json:"items"`
	}
	require.NoError(t, json.Unmarshal([]byte(list), &shown))
	require.Len(t, shown.Items, shown.Count)
	var one struct{ Listed, Answer json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(kept), &one))
	require.JSONEq(t, string(shown.Items[0]), string(one.Listed))
	routes := http.NewServeMux()
	routes.HandleFunc("GET /start", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "XSRF", Value: "t0ken", Path: "/"})
	})
	known := func(w http.ResponseWriter, r *http.Request) bool {
		c, err := r.Cookie("XSRF")
		if err != nil || c.Value != "t0ken" || r.Method == http.MethodPost && r.Header.Get("X-Xsrf") != c.Value {
			_, _ = fmt.Fprint(w, "Please sign in")
			return false
		}
		return true
	}
	routes.HandleFunc("POST /api/list", func(w http.ResponseWriter, r *http.Request) {
		var ask struct{ Skip, Take int }
		if !known(w, r) || json.NewDecoder(r.Body).Decode(&ask) != nil {
			return
		}
		var items []string
		for i := ask.Skip; i < min(crowd, ask.Skip+min(ask.Take, 50)); i++ {
			items = append(items, strings.Replace(string(one.Listed), "26-000417", fmt.Sprintf("26-%06d", 417+i), 1))
		}
		_, _ = fmt.Fprintf(w, `{"count": %d, "items": [%s]}`, crowd, strings.Join(items, ", "))
	})
	routes.HandleFunc("GET /api/inmate/{id}", func(w http.ResponseWriter, r *http.Request) {
		if known(w, r) {
			_, _ = fmt.Fprint(w, strings.Replace(string(one.Answer), "MARLOWE TEAGAN", member(r.PathValue("id")), 1))
		}
	})
	return serving(t, routes)
}

// larkspur answers with the pages of the manual: nothing without the session's cookie, 25 people a page.
func larkspur(t *testing.T, list, person string) *httptest.Server {
	t.Helper()
	row := regexp.MustCompile(`(?m)^<tr><td>.*\n`)
	require.Len(t, row.FindAllString(list, -1), 2)
	first := row.FindString(list)
	routes := http.NewServeMux()
	routes.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "abc", Path: "/"})
	})
	known := func(w http.ResponseWriter, r *http.Request) bool {
		if c, err := r.Cookie("session"); err != nil || c.Value != "abc" {
			_, _ = fmt.Fprint(w, "<h1>Your session has expired.</h1>")
			return false
		}
		return true
	}
	routes.HandleFunc("GET /inmates", func(w http.ResponseWriter, r *http.Request) {
		if !known(w, r) {
			return
		}
		page, _ := strconv.Atoi(r.FormValue("page"))
		from, to := (page-1)*25, min(crowd, page*25)
		if from >= crowd {
			w.WriteHeader(http.StatusInternalServerError) // the declared number says that there is no such page
			return
		}
		var rows strings.Builder
		for i := from; i < to; i++ {
			rows.WriteString(strings.Replace(first, "26-0311", fmt.Sprintf("26-%04d", 311+i), 1))
		}
		begin := row.FindStringIndex(list)[0]
		text := list[:begin] + rows.String() + row.ReplaceAllString(list[begin:], "")
		_, _ = fmt.Fprint(w, strings.Replace(text, "1 to 2 of 2", fmt.Sprintf("%d to %d of %d", from+1, to, crowd), 1))
	})
	routes.HandleFunc("GET /person", func(w http.ResponseWriter, r *http.Request) {
		if known(w, r) {
			id := r.FormValue("booking")
			_, _ = fmt.Fprint(w, strings.NewReplacer("26-0311", id, "MARLOWE TEAGAN", member(id)).Replace(person))
		}
	})
	return serving(t, routes)
}

func serving(t *testing.T, routes http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(routes)
	t.Cleanup(server.Close)
	return server
}

// member gives the first name of the person with a number; the first listed is the one whom the page shows.
func member(id string) string {
	switch n, _ := strconv.Atoi(id[strings.LastIndex(id, "-")+1:]); n {
	case 311, 417:
		return "MARLOWE TEAGAN"
	default:
		return "TEAGAN" + strings.Repeat("A", n%7) + strings.Repeat("O", n/7%9)
	}
}

// TestTheManualAddsACountyWithItsDocumentsAsTheyStand does what an operator does who has nothing but docs/sources.md and
// docs/sources-examples.md: the documents and samples are taken from these pages, checked, enabled and read, from a folder and from servers that answer
// with the page's own answers; only the address, the folder and the pause between requests are changed. What came is
// read through /v1.
func TestTheManualAddsACountyWithItsDocumentsAsTheyStand(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	m := sourcesManual(t)
	root, _ := x.Serve("Newsroom")
	key := text(t, x.Fields("key", "create", "--account", x.FirstAccount(), "--label", "manual", "--json")["key"])
	drop := t.TempDir()
	for id, c := range map[string]struct {
		sample, file string
		to           func(document string) string
		county       string
		read         float64 // rows of a run
		says         map[string]any
		others       map[string]any // bonds by name
	}{
		"pinewood": {
			sample: m.blocks[""][0], file: "pinewood_2026-03-09_06-00-00.csv", county: "ware", read: 3,
			says:   map[string]any{"name": "QUILLFEATHER, MARLOWE TEAGAN", "dob": "1986-02-03", "booking_date": "2026-03-08T01:30:00-05:00", "charges": []any{"SIMPLE BATTERY", "DUI"}, "bond_amount": 1500.0, "status": "booked"},
			others: map[string]any{"MOONSAIL, ORLA": nil, "BRACKENRIDGE, TOLLIVER, Jr.": nil},
		},
		"millrace": {
			sample: tableOf(t, m, "BKG_NUM|"), file: "millrace_20260309_0600.csv", county: "echols", read: 3,
			to:     strings.NewReplacer("folder: /var/spool/millrace", "folder: '"+drop+"'").Replace,
			says:   map[string]any{"name": "QUILLFEATHER, MARLOWE TEAGAN", "dob": "1986-02-03", "booking_date": "2026-03-08T01:30:00-05:00", "charges": []any{"BATTERY", "DUI"}, "bond_amount": 1500.0, "status": "booked"},
			others: map[string]any{"MOONSAIL, ORLA": nil, "BRACKENRIDGE, TOLLIVER JR": nil},
		},
		"stockade": {
			sample: m.blocks["json"][1], file: "stockade.json", county: "clarke", read: crowd,
			to:   strings.NewReplacer("https://stockade.example.invalid", stockade(t, m.blocks["json"][0], m.blocks["json"][1]).URL, "kind: http\n", "kind: http\n  pause: 1ms\n").Replace,
			says: map[string]any{"name": "QUILLFEATHER, MARLOWE TEAGAN", "dob": "1986-02-03", "booking_date": "2026-03-08T01:30:00-05:00", "charges": []any{"DUI", "BATTERY"}, "bond_amount": 1500.0, "status": "booked"},
		},
		"larkspur": {
			sample: m.blocks["html"][1], file: "larkspur.html", county: "clinch", read: crowd,
			to:   strings.NewReplacer("https://larkspur.example.invalid", larkspur(t, m.blocks["html"][0], m.blocks["html"][1]).URL, "kind: http\n", "kind: http\n  pause: 1ms\n").Replace,
			says: map[string]any{"name": "QUILLFEATHER, MARLOWE TEAGAN", "dob": "1986-02-03", "booking_date": "2026-03-08T01:30:00-05:00", "charges": []any{"THEFT BY TAKING", "LOITERING"}, "bond_amount": 2500.0, "status": "booked"},
		},
	} {
		document := m.documents[id]
		require.NotEmpty(t, document, id)
		sample := x.put(c.file, c.sample)
		require.Regexp(t, `\n[13] rows?, 0 to quarantine\n$`, "\n"+x.OK("sources", "check", x.put("as-shown.yaml", document), "--sample", sample), id)

		args := []string{"ingest", "--source", id, "--json"}
		if c.to == nil {
			args = append(args, "--file", sample)
		} else {
			changed := c.to(document)
			require.NotEqual(t, document, changed, id)
			document = changed
			require.NoError(t, os.WriteFile(filepath.Join(drop, c.file), []byte(c.sample), 0o600)) // others look for .csv, and only theirs
		}
		x.OK("sources", "enable", x.put(id+".yaml", document))
		report := x.Fields(args...)
		require.Equal(t, []any{c.read, c.read, 0.0, true}, []any{report["fetched"], report["new"], report["quarantined"], report["complete"]}, "%s: %v", id, report)

		var list struct {
			Total   float64          `json:"total"`
			Records []map[string]any `json:"records"`
		}
		require.NoError(t, json.Unmarshal(asKey(t, root+"/v1/roster?limit=100&county="+c.county, key), &list))
		require.InDelta(t, c.read, list.Total, 0, id)
		byName := map[string]map[string]any{}
		for _, r := range list.Records {
			byName[text(t, r["name"])] = r
		}
		said := byName[text(t, c.says["name"])]
		for field, value := range c.says {
			require.Equal(t, value, said[field], "%s: %s of %v", id, field, list.Records)
		}
		for name, bond := range c.others {
			require.Contains(t, byName, name, id)
			require.Equal(t, bond, byName[name]["bond_amount"], "%s: %s", id, name)
		}
		delete(m.documents, id)
	}
	require.Empty(t, m.documents, "every whole document of the page is tried")
}

// asKey gets an answer of /v1.
func asKey(t *testing.T, address, key string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	return answered(t, req, key)
}

// answered sends a request with a key.
func answered(t *testing.T, req *http.Request, key string) []byte {
	t.Helper()
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode, "%s", body)
	return body
}

// tableOf is the block of the page, of no language, that holds a text.
func tableOf(t *testing.T, m manual, holds string) string {
	t.Helper()
	for _, b := range m.blocks[""] {
		if strings.Contains(b, holds) {
			return b
		}
	}
	require.Fail(t, "no block of the page holds "+holds)
	return ""
}

func TestSourcesCheckTellsWhenASampleIsNotWhatTheDocumentReads(t *testing.T) {
	t.Parallel()
	x := terminalOn(t, "postgres://nobody@127.0.0.1:1/none")
	m := sourcesManual(t)
	for name, c := range map[string]struct{ id, file, sample, says string }{
		"a page that refuses": {
			"larkspur", "page.html", "<h1>Your SESSION has expired.</h1>",
			`read page.html: it says "session has expired", so it is a page that refuses (transport.refusals) and no record`,
		},
		"a file with other separators": {
			"pinewood", "a.csv", "Booking No;Inmate\n1;2\n",
			`read a.csv: the header lacks the columns Booking No, Inmate, DOB, Booked, Released, Offenses, Bond; its first row reads Booking No;Inmate (decode.separator and decode.above say how a file differs)`,
		},
	} {
		code, out := x.Run("sources", "check", x.put("document.yaml", m.documents[c.id]), "--sample", x.put(c.file, c.sample))
		require.Equal(t, []any{1, "", "rollcall: " + c.says + "\n"}, []any{code, out, x.Stderr}, name)
	}
	for in, says := range map[string]string{
		"[bond.amount, [bond.kind]]":                "fields.charge.bond[1]: want a path or a map of keys, have a list (line ",
		"[bond.amount, {from: bond.kind, nome: 1}]": `fields.charge.bond[1].nome: unknown key; did you mean "none"?`,
	} {
		code, _ := x.Run("sources", "check", x.put("document.yaml", strings.Replace(m.documents["stockade"], "[bond.amount, bond.kind]", in, 1)))
		require.Equal(t, 1, code)
		require.Contains(t, x.Stderr, says)
	}
}
