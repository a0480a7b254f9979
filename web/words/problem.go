package words

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"rollcall/models"
)

// ErrorsFile is the name under which en.json lists the messages of errors.
const ErrorsFile = "errors"

// pattern finds the values in the sentence of an error.
type pattern struct {
	message string
	finds   *regexp.Regexp
}

// patterns returns the messages of some files that have values, the longest first.
func patterns(of ...string) func() []pattern {
	return sync.OnceValue(func() (out []pattern) {
		used, err := Used()
		if err != nil {
			return nil // the start of the program has failed for it
		}
		for message, files := range used {
			if !slices.ContainsFunc(files, func(file string) bool { return slices.Contains(of, file) }) || !strings.Contains(message, "{") {
				continue
			}
			quoted := regexp.QuoteMeta(place.ReplaceAllString(message, "\x00"))
			out = append(out, pattern{message, regexp.MustCompile("^" + strings.ReplaceAll(quoted, "\x00", "(.+?)") + "$")})
		}
		slices.SortFunc(out, func(a, b pattern) int {
			return cmp.Or(len(b.message)-len(a.message), strings.Compare(a.message, b.message)) // the same at each start
		})
		return out
	})
}

// whole returns the phrase that a text is, where that phrase is of several parts; else the text.
func (l *Language) whole(text string) string {
	return l.again(text, compound)
}

var problems, phrases = patterns(ErrorsFile), patterns(EnumeratedFile, SaidFile)

// compound are the phrases of several parts.
var compound = sync.OnceValue(func() []pattern {
	return slices.DeleteFunc(slices.Clone(phrases()), func(p pattern) bool { return !strings.Contains(p.message, "; ") })
})

// problem returns the sentence of an error in this language.
func (l *Language) problem(sentence string) string { return l.again(sentence, problems) }

// again returns a text that was made in English, found by the pattern of its message; one that no pattern fits stays English.
func (l *Language) again(sentence string, known func() []pattern) string {
	if l.texts == nil {
		return sentence
	}
	if said, ok := l.texts[sentence]; ok {
		return said
	}
	for _, p := range known() {
		if m := p.finds.FindStringSubmatch(sentence); m != nil {
			t := Text{p.message}
			for _, v := range m[1:] {
				t = append(t, found(v))
			}
			return t.In(l)
		}
	}
	return sentence
}

// found returns a value that was found in a sentence: a moment, a length of time, or a word such as the name of a field.
func found(value string) Text {
	for _, kind := range []int{ofMoment, ofExact} {
		if at, err := time.ParseInLocation(formats[kind], value, models.Georgia); err == nil {
			return Text{"{1}", stamp{at, kind}}
		}
	}
	if lengthOfTime.MatchString(value) {
		return Spell(lengthOf(value))
	}
	return Word(value)
}

// lengthOfTime finds what package plural writes of a length of time, such as 1 hour 30 minutes.
var (
	lengthOfTime = regexp.MustCompile(`^\d+ (day|hour|minute|second)s?( \d+ (hour|minute|second)s?)*$`)
	unit         = regexp.MustCompile(`(\d+) (day|hour|minute|second)`)
)

// lengthOf returns such a length.
func lengthOf(text string) (d time.Duration) {
	units := map[string]time.Duration{"day": 24 * time.Hour, "hour": time.Hour, "minute": time.Minute, "second": time.Second}
	for _, m := range unit.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1]) // digits only
		d += time.Duration(n) * units[m[2]]
	}
	return d
}
