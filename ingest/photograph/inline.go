package photograph

import (
	"encoding/base64"
	"strings"
)

// leastInline is how long a text is at least that is a picture itself: the smallest JPEG has more, and no address of a
// photograph that was seen has as much.
const leastInline = 256

// inlined returns the bytes of a picture that a row holds itself, in base64 and perhaps as a data: address.
func inlined(text string) ([]byte, bool) {
	data, isData := strings.CutPrefix(text, "data:")
	if isData {
		_, data, isData = strings.Cut(data, ";base64,")
	} else {
		data = text
	}
	if !isData && len(data) < leastInline {
		return nil, false
	}
	data = strings.Map(func(r rune) rune {
		if r == ' ' || r == '\n' || r == '\r' || r == '\t' {
			return -1
		}
		return r
	}, data)
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if b, err := e.DecodeString(data); err == nil {
			return b, true
		}
	}
	return nil, isData // a data: address that cannot be read is a picture that is refused
}
