package web_test

import (
	"bytes"
	"html"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/badlist"
	"rollcall/models"
)

// upload sends a form with a file, as a browser without scripts does.
func (w *browser) upload(path, file string, fields ...string) *http.Response {
	w.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	if file != "" {
		part, err := form.CreateFormFile("file", "names.csv")
		require.NoError(w.t, err)
		_, err = part.Write([]byte(file))
		require.NoError(w.t, err)
	}
	for i := 0; i < len(fields); i += 2 {
		require.NoError(w.t, form.WriteField(fields[i], fields[i+1]))
	}
	require.NoError(w.t, form.Close())
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url+path, &b)
	require.NoError(w.t, err)
	r.Header.Set("Content-Type", form.FormDataContentType())
	return w.do(r)
}

var hiddenField = regexp.MustCompile(`name="(list|encoding|once)" value="([^"]*)"`)

// confirming are the hidden fields of the form that confirms an import.
func confirming(page string) (fields []string) {
	_, form, _ := strings.Cut(page, `action="/alerts/import/create"`)
	for _, m := range hiddenField.FindAllStringSubmatch(form, 3) {
		fields = append(fields, m[1], html.UnescapeString(m[2]))
	}
	return fields
}

func TestNamesAreImportedWithoutScripts(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	w := b.as("ada@example.org")
	require.Contains(t, text(t, w.get("/alerts/import")), `enctype="multipart/form-data"`)

	t.Log("a dry run shows what would happen and creates nothing")
	tried := text(t, w.upload("/alerts/import", "name;label\nWren Moonsail;desk & co\nWREN MOONSAIL;courts\nMoonsail;\n", "encoding", "utf-8"))
	for _, says := range []string{
		"the same as line 2; not taken over: label courts (it has desk &amp; co)", "1 line of these has another label, level or other detail than the alert you have",
		"in our records", "Our records are complete only for the last ", "of 159 counties are covered", "Nothing is created yet", "1 alert would be created", "1 line repeats another or asks for people who are watched already", "Line 4", "matches everyone who has it", "the same as line 2",
	} {
		require.Contains(t, tried, says)
	}
	total := func() int {
		all, err := b.store.Watchers(t.Context(), b.account.ID, models.Page{Limit: 10})
		require.NoError(t, err)
		return all.Total
	}
	require.Zero(t, total())

	t.Log("with a line that cannot be taken nothing is created, unless it is to be left out")
	fields := confirming(tried)
	refused := w.upload("/alerts/import/create", "", fields...)
	require.Equal(t, http.StatusUnprocessableEntity, refused.StatusCode)
	require.Contains(t, text(t, refused), "nothing was created")
	require.Zero(t, total())
	done := text(t, w.upload("/alerts/import/create", "", append(fields, "skip", "yes")...))
	require.Contains(t, done, "1 alert created")
	require.Contains(t, done, "1 line of those left out had another label")
	require.Contains(t, done, `href="/alerts?label=desk%20%26%20co"`)
	require.Equal(t, 1, total())
	require.Contains(t, text(t, w.get("/settings/trail")), "alerts imported")

	t.Log("what is watched is exported, harmless, and can be imported")
	_, err := b.store.CreateWatcher(t.Context(), b.account.ID, &models.NewWatcher{Name: "Ida Stormcrow", Label: new("=1+1")})
	require.NoError(t, err)
	exported := w.get("/alerts/export.csv")
	require.Equal(t, "text/csv; charset=utf-8", exported.Header.Get("Content-Type"))
	list := text(t, exported)
	require.True(t, strings.HasPrefix(list, "\ufeffname,"), "a spreadsheet reads accents by the mark, and the import takes it")
	require.Contains(t, list, "'=1+1")
	require.Contains(t, text(t, w.upload("/alerts/import", list, "encoding", "utf-8")), "0 alerts would be created. 2 lines repeat")
	require.Equal(t, 1, strings.Count(text(t, w.get("/alerts/export.csv?label=none")), "\n"))
	require.True(t, strings.HasPrefix(text(t, w.get("/alerts/hits.csv")), "\ufeffalert_id,alert_name"))
}

func TestThePageNamesColumnsThatAreNotRead(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	w := b.as("ada@example.org")
	const says = `The columns "Case No", "<b>" are not known and were not read.`
	tried := text(t, w.upload("/alerts/import", "Last Name,First Name,DOB,Case No,<b>\nMoonsail,Wren,3/8/1990,7,x\n", "encoding", "utf-8"))
	require.Contains(t, html.UnescapeString(tried), says)
	require.Contains(t, tried, "&lt;b&gt;")
	require.Contains(t, tried, "1 alert would be created")
	done := html.UnescapeString(text(t, w.upload("/alerts/import/create", "", confirming(tried)...)))
	require.Contains(t, done, "1 alert created")
	require.Contains(t, done, says)
}

func TestThePageNamesLinesThatLookLikeAnother(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	tried := text(t, b.as("ada@example.org").upload("/alerts/import", "name\nTom Bolton\nBOLTON TOM\n", "encoding", "utf-8"))
	require.Contains(t, tried, "2 alerts would be created")
	require.Contains(t, tried, "New names that look like another")
	require.Contains(t, tried, "<b>Line 3</b>: BOLTON TOM <span class=\"small quiet\">looks like line 2 in another order</span>")
}

func TestThePageSaysWhyAFileIsNoList(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	w := b.as("ada@example.org")
	for _, f := range badlist.Files() {
		r := w.upload("/alerts/import", f.CSV, "encoding", "utf-8")
		said := html.UnescapeString(text(t, r))
		want := http.StatusUnprocessableEntity
		if f.Lines {
			want = http.StatusOK
			require.Contains(t, said, "Line 2", f.Name)
		}
		require.Equal(t, want, r.StatusCode, f.Name)
		require.Contains(t, strings.ToLower(said), strings.ToLower(f.Says), f.Name)
	}
}

func TestThePageNamesWhomAListCannotFind(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	w := b.as("ada@example.org")
	tried := text(t, w.upload("/alerts/import", "name,level,county,birth_year\nJ Smith,,fulton,\nИван Петров,,,1980\nSmith,strict,fulton,\nSmith,wide,,1980\nJ Smith,wide,,\n", "encoding", "utf-8"))
	for _, says := range []string{"3 alerts would be created", "Line 2", "at level normal", "or choose level wide", "Line 3", "write it in Latin letters"} {
		require.Contains(t, tried, says)
	}
}

func TestAFileThatIsNoListIsSaidOnThePage(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	w := b.as("ada@example.org")
	for file, says := range map[string]string{
		"name\n" + strings.Repeat("A B\n", 100_001): "more than 100000 names",
		"Wren Moonsail\nIda Stormcrow\n":            `names no column name or last: its titles are "Wren Moonsail"; the columns are`,
		"\n":                                        "The file is empty",
		"\xff\xfen\x00a":                            "begins as UTF-16 and is cut off",
		strings.Repeat("x", 8<<20+1):                "larger than 8 MB",
		"":                                          "Choose a CSV file",
	} {
		r := w.upload("/alerts/import", file, "encoding", "utf-8")
		require.Equal(t, http.StatusUnprocessableEntity, r.StatusCode)
		require.Contains(t, html.UnescapeString(text(t, r)), says)
	}
	large := w.upload("/alerts/import", strings.Repeat("x", 13<<20))
	require.Equal(t, http.StatusRequestEntityTooLarge, large.StatusCode)
	require.Contains(t, text(t, large), "The file is larger than 8 MB", "the bound that the page names")
	require.Equal(t, http.StatusUnsupportedMediaType, w.post("/alerts/import", "file", "name").StatusCode)
	require.Contains(t, text(t, w.upload("/alerts/import/create", "", "list", "nonsense")), "choose the file again")
	require.Equal(t, http.StatusSeeOther, b.browser().upload("/alerts/import", "name\nA B\n").StatusCode, "only who is signed in may send a file")

	other := setup(t, models.Pro)
	other.user(other.account, "bo@example.org", models.Member, false)
	require.Equal(t, http.StatusForbidden, other.as("bo@example.org").upload("/alerts/import", "name\nA B\n").StatusCode)
}

func TestMistakesOfAListAreSentences(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	list := "name,dob,birth_year,age,age_on\nAda Moonsail,,,30,2099-01-02\nBea Moonsail,1801-01-01,,,\nCem Moonsail,,,,2026-01-02\nDee Moonsail,,ninety,,\nEve Moonsail,,,,tomorrow\nMoonsail,,,,\n"
	tried := html.UnescapeString(text(t, b.as("ada@example.org").upload("/alerts/import", list, "encoding", "utf-8")))
	for _, says := range []string{
		"The day of the age must be a day up to today", "The birth date must be a day from 1900 to today", "The day of the age needs an age: it is the day on which the age was stated",
		`The column birth_year holds "ninety", which is not a whole number`, `The column age_on holds "tomorrow", which is not a date`,
		"add the first name, or a county, the birth date, the year of birth or age",
	} {
		require.Contains(t, tried, says)
	}
	require.NotRegexp(t, `(Dob|Age_on|Birth_year) `, tried)
}

func TestATrialNamesLinesThatFindNobody(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.exec(`insert into sources (id, title, kind, enabled, county_id, interval_seconds) select 'jail-hall', 'Hall jail', 'roster', true, id, 3600 from counties where slug = 'hall'`)
	w := b.as("ada@example.org")
	tried := text(t, w.upload("/alerts/import", "name,county\nWren Moonsail,echols\nTom Bolton,hall\nAmy Ash,\n", "encoding", "utf-8"))
	_, named, found := strings.Cut(tried, `<h2 id="uncovered">Lines that find no one yet</h2>`)
	require.True(t, found)
	named, _, _ = strings.Cut(named, "</section>")
	require.Contains(t, named, "Line 2</b>: Wren Moonsail")
	require.Contains(t, named, "Echols County")
	require.NotContains(t, named, "Tom Bolton")
	require.NotContains(t, named, "Amy Ash")
}
