package words

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Template is the source of a template in which the messages were found. A message is the text between two tags that are not
// inline, with the inline tags and the values in it: `{1} is <b>not</b> here`. A control action, such as {{if}}, ends a message
// as a tag does. Attributes that people read are messages too, and so are literals in actions that look like English.
type Template struct {
	source  string   // with one rune for each action
	actions []string // in their order, as they were written
	edits   []edit   // in order of their beginnings; none lies within another
}

// edit is a part of the source that is a message, or that holds one in an attribute.
type edit struct {
	from, to int
	message  string
	pieces   []piece // of the message
	inner    []edit  // of the attributes of its tags
}

// hole is the rune that stands for the first action; the next ones follow it. It lies in a plane for private use.
const hole = 0xF0000

var action = regexp.MustCompile(`(?s)\{\{.*?\}\}`)

// stand returns the rune that stands for an action, by its number.
func stand(n int) string { return string(rune(hole + n)) } //nolint:gosec // a template has few actions

// ReadTemplate finds the messages of a template.
func ReadTemplate(source string) *Template {
	t := &Template{}
	t.source = action.ReplaceAllStringFunc(source, func(a string) string {
		t.actions = append(t.actions, a)
		return stand(len(t.actions) - 1)
	})
	var run []piece
	for _, p := range t.pieces() {
		if p.kind == other {
			t.messages(run)
			run = nil
			t.attributes(p)
			continue
		}
		run = append(run, p)
	}
	t.messages(run)
	return t
}

// Messages returns the messages in the order in which they stand.
func (t *Template) Messages() []string {
	var out []string
	for _, e := range t.edits {
		out = append(out, e.message)
		for _, i := range e.inner {
			out = append(out, i.message)
		}
	}
	for _, a := range t.actions {
		out = append(out, literals(a)...)
	}
	return out
}

// Translate returns the source of the template in a language. file is its name, for messages that it has in words of its own.
func (t *Template) Translate(l *Language, file string) string {
	actions := make([]string, len(t.actions))
	for i, a := range t.actions {
		actions[i] = translated(a, l, file)
	}
	find := func(message string) string { return l.Find(message, file) }
	return restored(t.edited(0, len(t.source), t.edits, find), actions)
}

// edited returns a part of the source with its messages in other words.
func (t *Template) edited(from, to int, edits []edit, find func(string) string) string {
	var b strings.Builder
	for _, e := range edits {
		if e.from >= from && e.to <= to {
			b.WriteString(t.source[from:e.from])
			b.WriteString(t.say(e, find))
			from = e.to
		}
	}
	b.WriteString(t.source[from:to])
	return b.String()
}

// restored puts the actions back.
func restored(s string, actions []string) string {
	var b strings.Builder
	for _, r := range s {
		if i := int(r) - hole; i >= 0 && i < len(actions) {
			b.WriteString(actions[i])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// messages finds the messages in a part without tags that end one.
func (t *Template) messages(run []piece) {
	for len(run) > 0 {
		end, first := t.balanced(run)
		if first > 0 { // what stands before an element that neither ends nor begins here
			t.message(run[:first])
		}
		for _, p := range run[first:end] {
			t.attributes(p)
		}
		run = run[end:]
	}
}

// balanced returns how many pieces belong together, and the end of the piece after them, which has no partner.
func (t *Template) balanced(run []piece) (end, first int) {
	for i := 0; i < len(run); i++ {
		switch run[i].kind {
		case shut:
			return i + 1, i
		case open:
			n := closing(run[i:])
			if n < 0 {
				return i + 1, i
			}
			i += n
		}
	}
	return len(run), len(run)
}

// closing returns where the element that begins run ends; -1: it does not end in it.
func closing(run []piece) int {
	var opened []string
	for i, p := range run {
		switch p.kind {
		case open:
			opened = append(opened, p.name)
		case shut:
			if opened[len(opened)-1] != p.name {
				return -1
			}
			if opened = opened[:len(opened)-1]; len(opened) == 0 {
				return i
			}
		}
	}
	return -1
}

// message notes a run as a message if it has letters of its own, and otherwise looks into its elements.
func (t *Template) message(run []piece) {
	if !t.speaks(run) {
		for i := 0; i < len(run); i++ {
			t.attributes(run[i])
			if run[i].kind != open {
				continue
			}
			n := closing(run[i:])
			if run[i].name != "code" && run[i].name != "kbd" {
				t.message(run[i+1 : i+n])
			}
			i += n
		}
		return
	}
	run = t.trimmed(run)
	from, to := run[0].from, run[len(run)-1].to
	if run[0].kind == text {
		s := t.source[run[0].from:run[0].to]
		from += len(s) - len(strings.TrimLeft(s, " \n\t·,;:"))
		run[0].from = from
	}
	if last := &run[len(run)-1]; last.kind == text {
		s := t.source[last.from:last.to]
		to -= len(s) - len(strings.TrimRight(s, " \n\t·"))
		last.to = to
	}
	at := len(t.edits)
	for _, p := range run {
		t.attributes(p)
	}
	inner := slices.Clone(t.edits[at:])
	t.edits = append(t.edits[:at], edit{from: from, to: to, message: t.named(run), pieces: run, inner: inner})
}

// speaks reports whether text of a run has letters or a number with its noun outside of its elements.
func (t *Template) speaks(run []piece) bool {
	depth := 0
	for _, p := range run {
		switch p.kind {
		case open:
			depth++
		case shut:
			depth--
		case text:
			if s := t.source[p.from:p.to]; depth == 0 && (letters(s) || t.counted(s)) {
				return true
			}
		}
	}
	return false
}

// counted reports whether an action in a text says how many there are of something.
func (t *Template) counted(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		k := int(r) - hole
		return k >= 0 && k < len(t.actions) && counts.MatchString(t.actions[k])
	})
}

var entity = regexp.MustCompile(`&\w+;`)

// letters reports whether a text says something.
func letters(s string) bool {
	return strings.ContainsFunc(entity.ReplaceAllString(s, ""), unicode.IsLetter)
}

// trimmed leaves out what stands at the ends of a run and neither says nor prints anything. Its parts are copies.
func (t *Template) trimmed(run []piece) []piece {
	out := append([]piece{}, run...)
	for len(out) > 0 {
		n := 0
		if out[0].kind == open {
			n = closing(out)
		}
		if t.empty(out[:n+1]) {
			for _, p := range out[:n+1] {
				t.attributes(p)
			}
			out = out[n+1:]
			continue
		}
		break
	}
	for len(out) > 0 && out[len(out)-1].kind == text && t.empty(out[len(out)-1:]) {
		out = out[:len(out)-1]
	}
	return out
}

// empty reports whether pieces neither say nor print anything.
func (t *Template) empty(run []piece) bool {
	for _, p := range run {
		if p.kind == text && strings.TrimLeft(t.source[p.from:p.to], " \n\t·,;:") != "" {
			return false
		}
	}
	return true
}

var space = regexp.MustCompile(`\s+`)

// named returns the message of a run.
func (t *Template) named(run []piece) string {
	var b strings.Builder
	n := 0
	for _, p := range run {
		switch p.kind {
		case open, alone:
			b.WriteString("<" + p.name + ">")
		case shut:
			b.WriteString("</" + p.name + ">")
		default:
			for _, r := range space.ReplaceAllString(t.source[p.from:p.to], " ") {
				if k := int(r) - hole; k >= 0 && k < len(t.actions) {
					n++
					b.WriteString(placeOf(n, t.actions[k]))
				} else {
					b.WriteRune(r)
				}
			}
		}
	}
	return b.String()
}

var attribute = regexp.MustCompile(` (?:placeholder|title|aria-label|alt|data-label|label)="([^"]*)"`)

// attributes notes the messages in the attributes of a tag. Each is a run of text; a control action ends it.
func (t *Template) attributes(p piece) {
	if p.kind == text || p.kind == shut {
		return
	}
	whole := t.source[p.from:p.to]
	for _, m := range attribute.FindAllStringSubmatchIndex(whole, -1) {
		begun := m[2]
		add := func(end int) {
			if begun < end && letters(whole[begun:end]) {
				run := t.trimmed([]piece{{kind: text, from: p.from + begun, to: p.from + end}})
				t.message(run)
			}
		}
		for i, r := range whole[m[2]:m[3]] {
			if k := int(r) - hole; k >= 0 && k < len(t.actions) && !prints(t.actions[k]) {
				add(m[2] + i)
				begun = m[2] + i + len(string(r))
			}
		}
		add(m[3])
	}
}

var part = regexp.MustCompile(`<(/?)(\w+)>|` + place.String())

// say returns the source of a message in other words: with the tags and actions of the message.
func (t *Template) say(e edit, find func(string) string) string {
	tags := map[string][]string{}
	var holes []int
	for _, p := range e.pieces {
		switch p.kind {
		case open, alone:
			tags[p.name] = append(tags[p.name], t.edited(p.from, p.to, e.inner, find))
		case text:
			for _, r := range t.source[p.from:p.to] {
				if k := int(r) - hole; k >= 0 && k < len(t.actions) {
					holes = append(holes, k)
				}
			}
		}
	}
	return part.ReplaceAllStringFunc(find(e.message), func(found string) string {
		m := part.FindStringSubmatch(found)
		if name := m[2]; name != "" {
			if m[1] == "/" || len(tags[name]) == 0 {
				return found
			}
			first := tags[name][0]
			tags[name] = tags[name][1:]
			return first
		}
		n, err := strconv.Atoi(m[3])
		if err != nil || n < 1 || n > len(holes) {
			return found
		}
		if c := counts.FindStringSubmatch(t.actions[holes[n-1]]); c != nil && m[4] != "" {
			return fmt.Sprintf("{{%s %s %q %q}}", c[1], c[2], m[5], m[6])
		}
		return stand(holes[n-1])
	})
}
