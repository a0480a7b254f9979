package letter

// MaxEdits is the longest word that edits are counted in; longer ones are only
// compared for equality and prefix.
const MaxEdits = 32

// Edits counts the edits between two words (insert, delete, substitute,
// transpose neighbours), up to 3 for "more than two". A wildcard equals any
// letter. easy is true for a single slip of the kinds that typists and OCR make
// most: neighbours transposed, a letter doubled or undoubled, keys side by side, RN read for M.
func Edits(a, b string) (n int, easy bool) {
	for len(a) > 0 && len(b) > 0 && Same(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && Same(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	switch {
	case len(b) == 0:
		return 0, true
	case len(a) == 0:
		return min(len(b), 3), false
	case len(b)-len(a) > 2 || len(b) > MaxEdits:
		return 3, false
	case len(a) == 1 && len(b) == 1:
		return 1, Confusable(a[0], b[0]) || Confusable(b[0], a[0]) // whichever of the two was meant
	case len(a) == 2 && len(b) == 2 && Same(a[0], b[1]) && Same(a[1], b[0]):
		return 1, true
	case len(a) == 1 && len(b) == 2 && Misread(a[0], b[0], b[1]):
		return 1, true
	}
	return table(a, b), false
}

// table returns the restricted Damerau distance by three rolling rows, on the stack.
func table(a, b string) int {
	var rows [3][MaxEdits + 1]uint8
	for j := range len(b) + 1 {
		rows[0][j] = uint8(j)
	}
	for i := 1; i <= len(a); i++ {
		before, above, row := &rows[(i+1)%3], &rows[(i-1)%3], &rows[i%3]
		row[0] = uint8(i)
		best := row[0]
		for j := 1; j <= len(b); j++ {
			v := above[j-1]
			if !Same(a[i-1], b[j-1]) {
				v++
			}
			v = min(v, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				v = min(v, before[j-2]+1)
			}
			row[j] = v
			best = min(best, v)
		}
		if best > 2 {
			return 3
		}
	}
	return min(int(rows[len(a)%3][len(b)]), 3)
}

// Misreadings are letters that scanners take for two others, in both directions.
var Misreadings = [...][2]string{
	{"m", "rn"}, {"m", "nn"}, {"d", "cl"}, {"w", "vv"}, {"h", "li"}, {"u", "ii"}, {"n", "ri"}, {"k", "lc"}, {"b", "lo"}, {"g", "cj"},
}

// Misread reports whether a scanner may take the letter x for the letters y and z. The innermost loop of noise asks it.
func Misread(x, y, z byte) bool {
	switch x {
	case 'm':
		return z == 'n' && (y == 'r' || y == 'n')
	case 'd':
		return y == 'c' && z == 'l'
	case 'w':
		return y == 'v' && z == 'v'
	case 'h':
		return y == 'l' && z == 'i'
	case 'u':
		return y == 'i' && z == 'i'
	case 'n':
		return y == 'r' && z == 'i'
	case 'k':
		return y == 'l' && z == 'c'
	case 'b':
		return y == 'l' && z == 'o'
	case 'g':
		return y == 'c' && z == 'j'
	}
	return false
}

// Same reports whether two letters are equal, or one of them is lost.
func Same(x, y byte) bool { return x == y || x == Wildcard || y == Wildcard }

// neighbours holds, for each letter, the keys beside it and the letters that
// OCR and handwriting confuse with it.
var neighbours = [26]string{
	"qwszoe", "vghnrd", "xdfvoe", "serfcxb", "wsdrac", "drtgvcp", "ftyhbvq", "gyujnbk", "ujkoly", "huikmn", "jiolmh", "kopit", "njkn",
	"bhjmu", "iklpac", "olf", "wag", "edftnv", "awedxz", "rfgyl", "yhjivn", "cfgbuw", "qasev", "zsdc", "tghuivj", "asx",
}

// Confusable reports whether a typist or a scanner may write y for x.
func Confusable(x, y byte) bool {
	if x < 'a' || x > 'z' {
		return false
	}
	for i := range len(neighbours[x-'a']) {
		if neighbours[x-'a'][i] == y {
			return true
		}
	}
	return false
}
