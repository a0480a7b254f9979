package words_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/web/words"
)

func TestMessagesOfTemplates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		source string
		want   []string
	}{
		{`<p>Copy it now: it is shown only once.</p>`, []string{"Copy it now: it is shown only once."}},
		{`<p><b>Keys belong to the plan.</b> {{.Name}} is on the {{.Plan}} plan. {{if .X}}More{{end}}</p>`, []string{"<b>Keys belong to the plan.</b> {1} is on the {2} plan.", "More"}},
		{`<p>As your <a href="/settings/{{.ID}}">settings</a> say.</p>`, []string{"As your <a>settings</a> say."}},
		{`<span><i class="a"></i>answered</span><span><i class="b"></i>refused</span>`, []string{"answered", "refused"}},
		{`<a href="/x">{{icon "bell"}}Alerts</a>`, []string{"Alerts"}},
		{`<h3>{{.Label}} <span>{{.ID}}</span></h3>`, nil},
		{`<p>{{plural .N "alert"}} {{things .N "is" "are"}} made</p>`, []string{"{1 alert|alerts} {2|is|are} made"}},
		{`<input placeholder="Name or id" title="{{.T}}" aria-label="Label of {{.T}}{{if .X}} and more{{end}}">`, []string{"Name or id", "Label of {1}", "and more"}},
		{`{{template "list" (lines "All sources" .X)}}{{if eq . "ok"}}{{end}}`, []string{"All sources"}},
		{`<p>By command: <code>rollcall feed</code></p><code>rollcall x</code>`, []string{"By command: <code>rollcall feed</code>"}},
		{`<a href="{{asset "x y"}}"{{if .In "/x"}} aria-current="page"{{end}}>Main</a>`, []string{"Main", "x y"}},
		{`{{/* why */}}<b>{{if .X}}One{{else}}Two{{end}}</b> end`, []string{"One", "Two", "end"}},
	} {
		require.Equal(t, c.want, words.ReadTemplate(c.source).Messages(), c.source)
	}
}

// plurals are written with both words after a translation.
var plurals = regexp.MustCompile(`\{\{(plural|things) ([^"]+?) "([^"]*)"\}\}`)

var space = regexp.MustCompile(`\s+`)

func TestATemplateTranslatedToEnglishIsItself(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../templates/*.html")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	even := func(s string) string {
		return space.ReplaceAllString(plurals.ReplaceAllString(s, `{{$1 $2 "$3" "${3}s"}}`), " ")
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		got := words.ReadTemplate(string(b)).Translate(words.English, filepath.Base(f))
		require.Equal(t, even(string(b)), even(got), f)
	}
}

func TestWhatIsEnglishForProgramsIsSaidInTheLanguageOfAPage(t *testing.T) {
	t.Parallel()
	all, err := words.All()
	require.NoError(t, err)
	es := words.ByCode("es", all)
	for english, want := range map[string]string{
		"surname agrees":                                                          "el apellido coincide",
		"nickname Bill=William":                                                   "apodo Bill=William",
		"first name differs: BOB and ROB":                                         "el nombre difiere: BOB y ROB",
		"goes by the middle name; one letter differs in name":                     "usa el segundo nombre; una letra difiere en el nombre",
		"Hall, Floyd: This source has not been read yet.":                         "Hall, Floyd: Esta fuente todavía no se ha leído.",
		"This source answers, but its newest data is from Nov 28, 2026, 6:12 PM.": "Esta fuente responde, pero sus datos más recientes, del 28 nov 2026, 6:12 p.m., son viejos.",
		`unknown key; did you mean "url"?`:                                        `clave desconocida; ¿quiso decir "url"?`,
		"is missing; name one, or map fields.x.county":                            "falta; nombre uno, o asigne fields.x.county",
		"booking.booked_at: lies in the future":                                   "booking.booked_at: está en el futuro",
		"something new: nobody translated it":                                     "something new: nobody translated it",
	} {
		require.Equal(t, want, words.Said(english).In(es))
		require.Equal(t, english, words.Said(english).In(words.English))
	}
}
