package spelling_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match/spelling"
)

func TestRespelledIsTheSameNameWithSlips(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b  string
		words int
		ok    bool
	}{
		{"MOONSAIL, SAMANTH", "MOONSAIL, SAMANTHA", 1, true},
		{"MOONSAIL, DANIEL", "MOONSAIL, DANIELA", 1, true},
		{"MOONSAIL, SAMNATHA", "MOONSAIL, SAMANTHA", 1, true},
		{"MOONSIAL, SAMNATHA", "MOONSAIL, SAMANTHA", 2, true},
		{"MOONSAIL, SAM", "MOONSAIL, SAMANTHA", 1, true},
		{"MOON, SAMANTHA", "MOONSAIL, SAMANTHA", 1, true},
		{"MOONSAIL, SAMANTHA", "MOONSAIL, SAMANTHA LEE", 0, true},
		{"MOONSAIL, SAMANTH", "MOONSAIL, SAMANTHA LEE JR", 1, true},
		{"MOONSAIL, SAMANTHA JR", "MOONSAIL, SAMANTHA SR", 0, false},
		{"MOONSAIL, SAMANTHA", "MOONSAIL, ROBERTA", 0, false},
		{"MOONSAIL, JOHN", "MOONSAIL, JAMES", 0, false},
		{"MOONSAIL, JO", "MOONSAIL, JA", 0, false},
		{"MOONSAIL, WREN", "QUILLFEATHER, WREN", 0, false},
		{"MOONSAIL", "MOONSAILE", 0, false},
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			words, ok := spelling.Respelled(pair[0], pair[1])
			require.Equal(t, []any{c.words, c.ok}, []any{words, ok}, "%s and %s", pair[0], pair[1])
		}
	}
}
