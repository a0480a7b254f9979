package docs_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// widest is how many characters a line of SQL may have.
const widest = 120

// rule is a citation of the design of claims, or of the decisions that fill the gaps of the contract.
var rule = regexp.MustCompile(`CLAIMS\.md, (rules? [1-9]|section [1-9]|"Decided" [1-9])|DECISIONS\.md, "`)

// SQL is read more often than it is written: each named statement says in a comment what it returns or changes, and no line
// of statements or migrations needs scrolling.
func TestEveryStatementIsExplained(t *testing.T) {
	t.Parallel()
	files, statements := 0, 0
	var found []string
	for _, path := range tracked(t) {
		if !strings.HasSuffix(path, ".sql") || !strings.HasPrefix(path, "models/") {
			continue
		}
		files++
		lines := strings.Split(read(t, path), "\n")
		for i, line := range lines {
			place := fmt.Sprintf("%s:%d: ", path, i+1)
			if n := utf8.RuneCountInString(line); n > widest {
				found = append(found, fmt.Sprintf("%sa line of %d characters", place, n))
			}
			if name, ok := strings.CutPrefix(line, "-- name: "); ok {
				statements++
				if i+1 == len(lines) || !strings.HasPrefix(lines[i+1], "-- ") {
					found = append(found, place+name+" has no comment")
				}
			}
		}
	}
	require.Greater(t, files, 20)
	require.Greater(t, statements, 200)
	require.Empty(t, strings.Join(found, "\n"))
}

// The statements of claims carry rules out. Each cites the rule that it stands for, or the head of its file does for all.
func TestEveryStatementOfClaimsCitesARule(t *testing.T) {
	t.Parallel()
	files := 0
	var found []string
	for _, path := range tracked(t) {
		if !strings.HasSuffix(path, ".sql") || !strings.HasPrefix(path, "models/claim/") {
			continue
		}
		files++
		head, rest, _ := strings.Cut(read(t, path), "-- name: ")
		if cites(head) {
			continue
		}
		for statement := range strings.SplitSeq(rest, "-- name: ") {
			if name, text, _ := strings.Cut(statement, "\n"); !cites(text) {
				found = append(found, path+": "+name+" cites no rule of CLAIMS.md or DECISIONS.md, and neither does the head of the file")
			}
		}
	}
	require.Greater(t, files, 10)
	require.Empty(t, strings.Join(found, "\n"))
}

// cites reports whether the comments at the beginning of a text name a rule, which may be cut by the end of a line.
func cites(text string) bool {
	var said []string
	for line := range strings.SplitSeq(text, "\n") {
		comment, ok := strings.CutPrefix(line, "-- ")
		if !ok {
			break
		}
		said = append(said, comment)
	}
	return rule.MatchString(strings.Join(said, " "))
}
