package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/web/words"
)

// web is the directory of package web.
const web = "../.."

func TestTheListOfMessagesIsThatOfTheFiles(t *testing.T) {
	t.Parallel()
	b, err := list(web)
	require.NoError(t, err)
	now, err := os.ReadFile("../en.json")
	require.NoError(t, err)
	require.Equal(t, string(now), string(b), "en.json is old: go generate ./web/words")
}

// valued are the places of values, without the forms of words beside a number, which a language may have no use for.
var valued = regexp.MustCompile(`\{(\w+)(?: [^{}]*)?\}`)

var tags = regexp.MustCompile(`</?\w+>`)

var codes = regexp.MustCompile(`<(?:code|kbd)>.*?</(?:code|kbd)>`)

// file is the file at the end of a message that a file has in other words.
var file = regexp.MustCompile(` @([\w.-]+)$`)

func TestEachMessageIsTranslated(t *testing.T) {
	t.Parallel()
	used, err := words.Used()
	require.NoError(t, err)
	es, err := words.Read("es")
	require.NoError(t, err)
	said := map[string]string{}
	for _, m := range []map[string]string{es.Machine, es.Reviewed} {
		for message, text := range m {
			require.NotContains(t, said, message, "a message is either reviewed or not")
			said[message] = text
		}
	}
	var wrong []string
	for message := range used {
		if said[message] == "" {
			wrong = append(wrong, "missing: "+message)
		}
	}
	for message, text := range said {
		base := file.ReplaceAllString(message, "")
		if len(used[base]) == 0 {
			wrong = append(wrong, "not used any more: "+message)
		}
		if !slices.Equal(all(valued, base), all(valued, text)) || !slices.Equal(all(tags, base), all(tags, text)) || !slices.Equal(all(codes, base), all(codes, text)) {
			wrong = append(wrong, "other values or tags than: "+message)
		}
		if strings.ContainsAny(text, `"\`) || strings.Contains(text, "{{") {
			wrong = append(wrong, "a character that ends an attribute or begins an action: "+message)
		}
	}
	sort.Strings(wrong)
	require.Empty(t, strings.Join(wrong, "\n"))
}

// all returns what a pattern finds, each once, in order: of a place its name alone.
func all(pattern *regexp.Regexp, s string) []string {
	var out []string
	for _, m := range pattern.FindAllStringSubmatch(s, -1) {
		out = append(out, m[len(m)-1])
	}
	slices.Sort(out)
	if pattern == tags {
		return out // as often as there are tags
	}
	return slices.Compact(out)
}

// plainly are functions whose literals nobody reads, and printing are those whose literals are messages.
var (
	literalIn = regexp.MustCompile(`"([^"]*)"`)
	plainly   = regexp.MustCompile(`^\{\{-?\s*(?:if|else if|with|range|template|define|end)\b|\b(?:asset|icon|index|printf|print|eq|ne)\b|\.(?:In|Wrong|Blame|Asks|Address)\b|^\{\{(?:plural|things) `)
	looks     = regexp.MustCompile(`^[A-Z][a-z]|[A-Za-z] [A-Za-z]`)
)

func TestTemplatesPrintNoLiteralThatIsNoMessage(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(web, "templates", "*.html"))
	require.NoError(t, err)
	for _, name := range names {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, action := range regexp.MustCompile(`\{\{.*?\}\}`).FindAllString(string(b), -1) {
			for _, m := range literalIn.FindAllStringSubmatch(action, -1) {
				require.True(t, m[1] == "" || looks.MatchString(m[1]) || plainly.MatchString(action) || strings.HasPrefix(action, "{{$"),
					"%s prints %q with %s: write it as text", filepath.Base(name), m[1], action)
			}
		}
	}
}

// unread are strings of modules that look like English and that nobody reads: queries, selectors, types, names of headers and locks.
var unread = regexp.MustCompile(`^(?:query|mutation|subscription|fragment)\b|^[A-Z ]+$|[\[\]#>{=]|\(filter:|^\.[\w-]+ |^[\w-]+(?:, [\w-]+){1,}$|/\w+\+?json|` +
	`^(?:America/New_York|RosterFilter|CourtFilter|CorrectionsFilter|Allow|Link|Esc|Enter|Escape|Home|End|Tab|TypeError|AbortError|NotAllowedError|InvalidStateError|SecurityError)$|` +
	`^(?:Accept|Content|Rollcall|Idempotency|Authorization|Bearer|Retry|RateLimit|Last|X)[- ]|^Arrow|^(?:activity|inbox|deliveries) of $|^light dark$|^Authorization$|^application/|^list rows$|^noopener |^event page |^gdcId |^state assignee `)

// dressed is what stands before a class, a type or the like.
var dressed = regexp.MustCompile(`(?:class|className|classList|rel|type|timeZone|statuses|fields|order)\b[^,]*$|^[^"]*\blist\([^"]*$`)

// english is what looks like English: two words, or a word that begins like a sentence.
var english = regexp.MustCompile(`^(?:booked|released|filed|hearing|born|read|made|to|from) $|[A-Za-z’]{2,},? [A-Za-z“(]{2,}|^[A-Z][a-z]{2,}`)

// child is a text that is a child of an element.
var child = regexp.MustCompile(`\bh\("\w+", (?:null|\{[^{}]*\}), "([^"]*[a-z]{2,}[^"]*)"`)

func TestModulesMarkWhatTheySay(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(web, "static", "*.js"))
	require.NoError(t, err)
	var found []string
	for _, name := range names {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, l := range stringsOf(string(b)) {
			if english.MatchString(l.text) && !unread.MatchString(l.text) && !dressed.MatchString(l.before) && !markedBy.MatchString(l.before) {
				found = append(found, filepath.Base(name)+":"+strconv.Itoa(l.line)+": "+l.text)
			}
		}
		for _, m := range child.FindAllStringSubmatch(string(b), -1) {
			found = append(found, filepath.Base(name)+": "+m[1])
		}
	}
	require.Empty(t, strings.Join(found, "\n"), "mark it with t(...)")
}

// retired are phrases of the pages that people had to read twice (the table of wording), each with what stands there now.
var retired = map[string]string{
	"Names that are watched": "Get notified when …", "Whom it found": "Matches", "It watches from now on": "Alert created.", "another bond than": "a bond change",
	"Jails that are read": "Covered jails", "(jail not read)": "(not covered)", "Make key": "Create key", "Make a key": "Create API key",
	"Begin to replace": "Start rotation", "The same again": "Confirm password", "Present password": "Current password", "Count them": "Preview",
	"Attempt {1} was taken": "Attempt {1} succeeded", "Times are Georgia": "All times Eastern (ET).", "What needs somebody": "Sources that need attention",
	"could not become facts": "could not be processed", "Read them again": "Retry", "does by itself": "Background jobs", "Nothing was asked yet": "Run a query …",
	"How fresh this is": "Data freshness", "For programs": "API", "Bond in all": "Total bond", "Held so far": "Time in custody", "How alike names": "Match strictness",
	"Nobody would have been found": "No matching bookings in the last 30 days", "goes for what is detected": "applies to new events only", "Misses least": "Fewest misses",
	"omebody": "someone", "obody": "no one", "verybody": "everyone", "nybody": "anyone", " whom ": "who", "in the meantime": "until then", "taken back": "undone",
}

func TestRetiredPhrasesDoNotComeBack(t *testing.T) {
	t.Parallel()
	used, err := words.Used()
	require.NoError(t, err)
	for message, files := range used {
		for phrase, now := range retired {
			require.NotContains(t, message, phrase, "%v: write %q", files, now)
		}
	}
}
