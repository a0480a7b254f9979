package operate

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// diffLine is a line of two texts: of both, or of one of them.
type diffLine struct {
	// Mark is "+" for a line of the new text alone, "-" for one of the old alone, and a space for one of both.
	Mark, Text string
}

// diffAround is how many unchanged lines a diff keeps on each side of a change.
const diffAround = 3

// diffOf compares two texts line by line. Of unchanged lines it keeps those near a change; "…" stands for others.
func diffOf(before, after string) []diffLine {
	var all []diffLine
	add := func(mark, text string) {
		for line := range strings.Lines(text) {
			all = append(all, diffLine{mark, strings.TrimSuffix(line, "\n")})
		}
	}
	at := 0
	for _, e := range udiff.Lines(before, after) {
		add(" ", before[at:e.Start])
		add("-", before[e.Start:e.End])
		add("+", e.New)
		at = e.End
	}
	add(" ", before[at:])
	return nearChanges(all)
}

// nearChanges drops unchanged lines far from a change.
func nearChanges(all []diffLine) (out []diffLine) {
	near := make([]bool, len(all))
	for i, l := range all {
		if l.Mark == " " {
			continue
		}
		for k := max(0, i-diffAround); k <= min(len(all)-1, i+diffAround); k++ {
			near[k] = true
		}
	}
	for i, l := range all {
		switch {
		case near[i]:
			out = append(out, l)
		case i > 0 && near[i-1]:
			out = append(out, diffLine{" ", "…"})
		}
	}
	return out
}
