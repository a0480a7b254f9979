package page

import (
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"rollcall/web/words"
)

// Jails and courts write in capitals. Pages write the same words as people do, and keep the original in a title; the APIs keep it alone.
// static/casing.js is the same rule for pages that scripts build. testdata/casing.json holds both to one table.

// Words that keep their capitals; words without a vowel do so anyway. TestBothRulesKnowTheSameWords compares them with casing.js.
const (
	abbreviations = "AKA ATF ATM ATV BAC CDL CI DEA DFACS DFCS DOC DOT DUI DUID DWI EBT FAA FBI FNU FTA FVA GA GBI GCIC GCSA GPS HIV ICE ID II III IV LNU NCIC OBTS OCGA OD OVI PWI PWID PWITD " +
		"RICO RSAT SUV TPO TVB UIFSA US USA UTV VA VGCSA VI VII VIII VIN VOP VOTPO VUCSA"
	placeNames   = "ALABAMA AMERICAN ATLANTA AUGUSTA COLUMBUS FLORIDA GEORGIA MACON SAVANNAH TENNESSEE"
	placeWords   = "COUNTY PD SO"                                                      // the word before is a name
	noPlace      = "A ANOTHER ANY BY EACH FOR IN JAIL OF OTHER OTHERS OUT THE THIS TO" // unless it is one of these
	letterNames  = "CLASS COUNT GRADE GROUP LEVEL PART SCHEDULE TABLE TITLE TYPE"      // an A after one of these is no article
	nameSuffixes = "JR NG SR ST"                                                       // without a vowel, and no initials
)

var (
	keptWords, places, placeEnds = wordsIn(abbreviations), wordsIn(placeNames), wordsIn(placeWords)
	notPlaces, lettered, plainly = wordsIn(noPlace), wordsIn(letterNames), wordsIn(nameSuffixes)

	runs    = regexp.MustCompile(`\pL[\pL\pM]*`)
	units   = regexp.MustCompile(`^(?:ST|ND|RD|TH|OZ|GM|GRAMS?|LBS?|MPH)$`) // right behind a digit
	amounts = regexp.MustCompile(`^\d+\s*$`)
	terms   = regexp.MustCompile(`^(\d+) YEARS?, (\d+) MONTHS?, (\d+) DAYS?$`)
)

func wordsIn(list string) []string { return strings.Fields(list) }

// Calm returns words in sentence case if they are shouted: written without a small letter. Abbreviations, single letters and the numbers
// of statutes stay as they are.
func Calm(text string) string {
	if !shouted(text) {
		return text
	}
	first := true
	return eachRun(text, func(r run) string {
		if r.numbered() {
			return r.inNumber()
		}
		lower := r.sentence()
		if first && !amounts.MatchString(r.head) {
			lower = capital(lower)
		}
		first = false
		return lower
	})
}

// CalmName returns a name of a person or place with capitals only where names have them. Words that have a small letter stay as they are.
func CalmName(text string) string {
	return eachRun(text, func(r run) string {
		switch lower := strings.ToLower(r.word); {
		case r.before == '\'' && r.word == "S":
			return lower
		case strings.ToUpper(r.word) != r.word, r.letters() == 1:
			return r.word
		case slices.Contains(plainly, r.word):
			return capital(lower)
		case slices.Contains(keptWords, r.word), !vowel(r.word), r.letters() == 2 && r.word[1] == 'J':
			return r.word
		case strings.HasPrefix(lower, "mc") && r.letters() > 4:
			return "Mc" + capital(lower[2:])
		default:
			return capital(lower)
		}
	})
}

// Term returns the length of a sentence as people say it: without units of which there are none. What is no length is in sentence case.
func Term(text string) words.Text {
	var n [3]int
	for i := range n {
		if m := terms.FindStringSubmatch(strings.ToUpper(text)); m != nil {
			n[i], _ = strconv.Atoi(m[i+1])
		}
	}
	var parts []words.Text
	for i, t := range []words.Text{words.T("{1 year|years}", n[0]), words.T("{1 month|months}", n[1]), words.T("{1 day|days}", n[2])} {
		if n[i] > 0 {
			parts = append(parts, t)
		}
	}
	if len(parts) == 0 {
		return words.Plain(Calm(text))
	}
	return words.Join(", ", parts...)
}

// CalmTerm returns Term in English.
func CalmTerm(text string) string { return Term(text).String() }

// shouted reports whether a text has a word of two letters and no small letter. What stands in a number, such as 16-10-24(a), is no word.
func shouted(text string) bool {
	loud := false
	for token := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(token, unicode.IsDigit) && !strings.ContainsFunc(token, unicode.IsUpper) {
			continue
		}
		for _, word := range runs.FindAllString(token, -1) {
			if strings.ToUpper(word) != word {
				return false
			}
			loud = loud || len([]rune(word)) > 1
		}
	}
	return loud
}

// run is a word within a text: letters without a break.
type run struct {
	word          string
	before, after rune   // the characters beside it; 0 at an end
	token         string // what stands between two blanks around it
	last, next    string // the words beside it
	head          string // all before it
}

// eachRun replaces the words of a text.
func eachRun(text string, write func(run) string) string {
	at := runs.FindAllStringIndex(text, -1)
	word := func(i int) string {
		if i < 0 || i >= len(at) {
			return ""
		}
		return text[at[i][0]:at[i][1]]
	}
	var b strings.Builder
	end := 0
	for i, r := range at {
		head, tail := text[:r[0]], text[r[1]:]
		from := strings.LastIndexFunc(head, unicode.IsSpace) + 1
		to := strings.IndexFunc(tail, unicode.IsSpace)
		if to < 0 {
			to = len(tail)
		}
		b.WriteString(text[end:r[0]])
		b.WriteString(write(run{word: word(i), before: mark(lastRune(head)), after: firstRune(tail), token: head[from:] + word(i) + tail[:to], last: word(i - 1), next: word(i + 1), head: head}))
		end = r[1]
	}
	return b.String() + text[end:]
}

func (r run) letters() int { return len([]rune(r.word)) }

// numbered reports whether the word belongs to a number: 2ND, 28G, (A) of a statute.
func (r run) numbered() bool {
	return unicode.IsDigit(r.before) || unicode.IsDigit(r.after) || r.letters() == 1 && strings.ContainsFunc(r.token, unicode.IsDigit)
}

// inNumber writes the word within its number.
func (r run) inNumber() string {
	if unicode.IsDigit(r.before) && units.MatchString(r.word) {
		return strings.ToLower(r.word)
	}
	return r.word
}

// sentence writes the word within a sentence.
func (r run) sentence() string {
	lower := strings.ToLower(r.word)
	switch {
	case r.before == '\'' && r.last != "" && r.letters() < 3: // OFFICER'S
		return lower
	case r.word == "W" && r.after == '/', r.before == '/' && r.last == "W" && r.letters() == 1: // W/O
		return lower
	case r.word == "A" && r.last != "" && len(r.next) > 1 && r.token == "A" && !slices.Contains(lettered, r.last):
		return lower
	case r.letters() == 1, slices.Contains(keptWords, r.word), !vowel(r.word):
		return r.word
	case slices.Contains(places, r.word), r.word == "COUNTY" && r.namesPlace(r.last), r.word == "SO" && r.next == "" && r.namesPlace(r.last):
		if r.word == "SO" {
			return r.word
		}
		return capital(lower)
	case slices.Contains(placeEnds, r.next) && r.namesPlace(r.word), r.word == "BEN" && r.next == "HILL", r.word == "JEFF" && r.next == "DAVIS":
		return capital(lower)
	}
	return lower
}

// namesPlace reports whether a word before COUNTY is the county's name.
func (run) namesPlace(word string) bool { return word != "" && !slices.Contains(notPlaces, word) }

func vowel(word string) bool { return strings.ContainsAny(strings.ToUpper(fold(word)), "AEIOUY") }

// fold drops the accents that vowels of names in Georgia's jails bear.
func fold(word string) string { return accents.Replace(word) }

var accents = strings.NewReplacer("Á", "A", "À", "A", "Ä", "A", "Ã", "A", "É", "E", "È", "E", "Í", "I", "Ó", "O", "Ö", "O", "Ú", "U", "Ü", "U")

func capital(word string) string {
	letters := []rune(word)
	return string(unicode.ToUpper(letters[0])) + string(letters[1:])
}

// mark is an apostrophe for all signs that stand for one.
func mark(c rune) rune {
	if c == '’' || c == '`' {
		return '\''
	}
	return c
}

func firstRune(s string) rune {
	for _, c := range s {
		return c
	}
	return 0
}

func lastRune(s string) rune {
	var last rune
	for _, c := range s {
		last = c
	}
	return last
}

// asWritten returns text with the source's own writing in its title, where that differs.
func asWritten(said, text string) template.HTML {
	out := template.HTMLEscapeString(said)
	if turns.MatchString(said) {
		out = "<bdi>" + out + "</bdi>"
	}
	if said != text {
		out = `<span title="` + template.HTMLEscapeString(text) + `">` + out + `</span>`
	}
	return template.HTML(out) //nolint:gosec // escaped
}

// turns finds text that is written from the right, or turns what follows it around: it does so by itself, as in static/dom.js.
var turns = regexp.MustCompile(`[\x{590}-\x{8FF}\x{200E}\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}]`)

func calmed(text string) template.HTML     { return asWritten(Calm(text), text) }
func calmedName(text string) template.HTML { return asWritten(CalmName(text), text) }

// calmedTerm writes the length of a sentence in a language.
func calmedTerm(text string, l *words.Language) template.HTML {
	return asWritten(Term(text).In(l), text)
}
