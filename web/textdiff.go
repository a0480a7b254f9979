package web

import (
	"slices"
	"strings"
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
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	// common[i][j] is the length of the longest common sequence of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i, was := range slices.Backward(a) {
		for j, is := range slices.Backward(b) {
			if was == is {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var all []diffLine
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			all = append(all, diffLine{" ", a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			all = append(all, diffLine{"-", a[i]})
			i++
		default:
			all = append(all, diffLine{"+", b[j]})
			j++
		}
	}
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
