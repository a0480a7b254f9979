package main

import (
	"regexp"
	"strconv"
	"strings"
)

// literalOf is a string of a module.
type literalOf struct {
	text   string
	line   int
	before string // what stands before it, as far as it tells whether it is marked
	raw    bool   // in backquotes
}

// markedBy is the beginning of a message: t(.
var markedBy = regexp.MustCompile(`(?:^|[^\w.$])t\(\s*$`)

// marked returns the messages of a module: what t("...") marks.
func marked(source string) []string {
	var out []string
	for _, l := range stringsOf(source) {
		if markedBy.MatchString(l.before) && !l.raw {
			out = append(out, l.text)
		}
	}
	return out
}

// regexpBefore is what stands before a regular expression, and never before a division.
const regexpBefore = "(,=:[!&|?{};+\n"

// stringsOf returns the strings of a module. Comments and regular expressions are passed over.
func stringsOf(source string) []literalOf {
	var out []literalOf
	line, last := 1, byte('\n')
	for i := 0; i < len(source); i++ {
		c := source[i]
		switch {
		case c == '\n':
			line++
			continue
		case c == ' ' || c == '\t':
			continue
		case strings.HasPrefix(source[i:], "//"):
			for i < len(source) && source[i] != '\n' {
				i++
			}
			i--
			continue
		case strings.HasPrefix(source[i:], "/*"):
			end := i + strings.Index(source[i:], "*/") + 1
			line += strings.Count(source[i:end], "\n")
			i = end
			continue
		case c == '/' && (strings.IndexByte(regexpBefore, last) >= 0 || strings.HasSuffix(strings.TrimRight(source[:i], " "), "return")):
			i = skip(source, i)
		case c == '"' || c == '\'' || c == '`':
			end := closed(source, i)
			before := source[max(0, i-60):i]
			text := source[i+1 : end]
			if c == '"' {
				if s, err := strconv.Unquote(source[i : end+1]); err == nil {
					text = s
				}
			}
			out = append(out, literalOf{text: text, line: line, before: before, raw: c == '`'})
			line += strings.Count(source[i:end], "\n")
			i = end
		}
		last = c
	}
	return out
}

// skip returns where a regular expression that begins at i ends.
func skip(source string, i int) int {
	inClass := false
	for i++; i < len(source); i++ {
		switch source[i] {
		case '\\':
			i++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '/':
			if !inClass {
				return i
			}
		}
	}
	return i
}

// closed returns where a string that begins at i ends.
func closed(source string, i int) int {
	quote := source[i]
	for i++; i < len(source) && source[i] != quote; i++ {
		if source[i] == '\\' {
			i++
		}
	}
	return min(i, len(source)-1)
}
