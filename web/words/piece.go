package words

import (
	"regexp"
	"strings"
)

// The kinds of pieces.
const (
	text  = iota // text and actions that print
	open         // <b>
	shut         // </b>
	alone        // <br>
	other        // a tag that is not inline, a comment, a control action or a picture: it ends a message
)

// piece is a part of the source.
type piece struct {
	kind, from, to int
	name           string // of an inline tag
}

// inline are the tags that stand within messages.
var inline = map[string]bool{"a": true, "b": true, "bdi": true, "br": true, "code": true, "em": true, "i": true, "kbd": true, "small": true, "span": true, "strong": true, "time": true}

var tag = regexp.MustCompile(`^</?([a-zA-Z][a-zA-Z0-9]*)`)

// pieces cuts the source.
func (t *Template) pieces() []piece {
	var out []piece
	add := func(kind, from, to int, name string) {
		if from < to {
			out = append(out, piece{kind: kind, from: from, to: to, name: name})
		}
	}
	begun := 0
	for i := 0; i < len(t.source); {
		switch n := t.markup(i); {
		case n > 0:
			add(text, begun, i, "")
			kind, name := other, ""
			if m := tag.FindStringSubmatch(t.source[i:]); m != nil && inline[m[1]] {
				kind, name = open, m[1]
				if t.source[i+1] == '/' {
					kind = shut
				} else if name == "br" {
					kind = alone
				}
			}
			add(kind, i, i+n, name)
			i += n
			begun = i
		default:
			i++
		}
	}
	add(text, begun, len(t.source), "")
	return out
}

// markup returns the length of the tag, comment or control action at i; 0: there is none.
func (t *Template) markup(i int) int {
	rest := t.source[i:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		return strings.Index(rest, "-->") + len("-->")
	case tag.MatchString(rest) || strings.HasPrefix(rest, "<!"):
		quoted := false
		for n, c := range rest {
			if c == '"' {
				quoted = !quoted
			}
			if c == '>' && !quoted {
				return n + 1
			}
		}
		return len(rest)
	}
	for n, r := range rest {
		if n > 0 {
			return 0
		}
		if k := int(r) - hole; k >= 0 && k < len(t.actions) && !prints(t.actions[k]) {
			return len(string(r))
		}
	}
	return 0
}
