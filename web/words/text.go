package words

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Text is a message with its values, not yet in words: the message, then the values. A Text among the values is written in the
// same language. An empty Text is no text. Templates print it in their language, and everything else in English.
type Text []any

// T returns a message with values. "{1}" is the place of the first value, "{1 hit|hits}" that of a number with what it counts,
// and "{1|is|are}" that of a word which depends on a number.
func T(message string, values ...any) Text { return append(Text{message}, values...) }

// Join returns texts with something between them; empty ones are left out.
func Join(between string, texts ...Text) Text {
	out := Text{joined, between}
	for _, t := range texts {
		if len(t) > 0 {
			out = append(out, t)
		}
	}
	if len(out) == 2 {
		return nil
	}
	return out
}

// Plain returns a text of a record, which is the same in all languages; "" is no text.
func Plain(s string) Text {
	if s == "" {
		return nil
	}
	return Text{"{1}", s}
}

// joined is the message of a joined text; no other can be the same.
const joined = "\x00"

// Local is a value that is written differently in each language, such as a day.
type Local interface{ In(l *Language) string }

// String returns the text in English.
func (t Text) String() string { return t.In(English) }

// In returns the text in a language.
func (t Text) In(l *Language) string {
	if len(t) == 0 {
		return ""
	}
	message, _ := t[0].(string)
	if message == joined {
		parts := make([]string, 0, len(t)-2)
		for _, v := range t[2:] {
			parts = append(parts, written(v, l))
		}
		return strings.Join(parts, fmt.Sprint(t[1]))
	}
	return Fill(l.Find(message, ""), func(name string) any {
		if i, err := strconv.Atoi(name); err == nil && i > 0 && i < len(t) {
			return t[i]
		}
		return ""
	}, l)
}

// written returns a value in a language.
func written(v any, l *Language) string {
	switch v := v.(type) {
	case Local:
		return v.In(l)
	case int:
		return Count(v)
	}
	return fmt.Sprint(v)
}

// place is where a value stands: its name, then what is between the name and the first form, and the forms.
var place = regexp.MustCompile(`\{(\w+)(?:([ |])([^{}|]*)\|([^{}|]*))?\}`)

// Fill returns a message with its values.
func Fill(message string, value func(name string) any, l *Language) string {
	return place.ReplaceAllStringFunc(message, func(found string) string {
		m := place.FindStringSubmatch(found)
		v := value(m[1])
		if m[2] == "" {
			return written(v, l)
		}
		form := m[4]
		if v == 1 {
			form = m[3]
		}
		if m[2] == " " {
			return written(v, l) + " " + form
		}
		return form
	})
}

// Count returns a number with separators. English and the Spanish of the United States write it alike.
func Count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Fixed returns a message without values that is chosen elsewhere, such as from a list; "" is no text.
func Fixed(message string) Text {
	if message == "" {
		return nil
	}
	return Text{message}
}

// Word returns the word of an enumeration, such as "owner" (enums.go).
func Word(w string) Text {
	if w == "" {
		return nil
	}
	return Text{"{1}", enumerated(w)}
}

// Actor returns who did an entry of a trail: an e-mail address, a key with its label, or a word such as "the recipient".
func Actor(who string) Text {
	if key, found := strings.CutPrefix(who, "key "); found {
		return T("key {1}", Plain(key))
	}
	return Word(who)
}

// enumerated is a word that a record or an error may say, so nothing in it is a place.
type enumerated string

// In returns the word in a language.
func (w enumerated) In(l *Language) string { return l.Find(string(w), "") }

// Error returns what a page says of an error, as a sentence. Errors are the same for programs, in English, so the message and its
// values are found again from the sentence; one that no message fits stays English.
func Error(sentence string) Text {
	if sentence == "" {
		return nil
	}
	return Text{"{1}", problem(sentence)}
}

// problem is the sentence of an error.
type problem string

// In returns the sentence in a language.
func (p problem) In(l *Language) string { return l.problem(string(p)) }

// Said returns a sentence or phrase that the service says in English to programs too: a reason of package match, or why a source is not
// current. It may be several with "; " between them, or stand behind a name and a colon.
func Said(english string) Text {
	if english == "" {
		return nil
	}
	return Text{"{1}", said(english)}
}

// said is such a sentence or phrase.
type said string

// In returns it in a language; what the catalogue lacks stays English.
func (s said) In(l *Language) string {
	if whole := l.whole(string(s)); whole != string(s) {
		return whole
	}
	parts := strings.Split(string(s), "; ")
	for i, part := range parts {
		parts[i] = l.again(part, phrases)
		if name, rest, found := strings.Cut(part, ": "); found && parts[i] == part {
			parts[i] = l.again(name, phrases) + ": " + l.again(rest, phrases)
		}
	}
	return strings.Join(parts, "; ")
}
