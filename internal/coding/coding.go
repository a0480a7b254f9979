// Package coding chooses how an answer is compressed on the wire.
package coding

import (
	"strconv"
	"strings"
)

// Coding is how a body is compressed, as Content-Encoding spells it.
type Coding string

// The codings that answers have.
const (
	Identity Coding = ""
	Gzip     Coding = "gzip"
	Zstd     Coding = "zstd"
)

// Negotiate returns that of the offered codings which an Accept-Encoding asks for most (RFC 9110, section 12.5.3). Of two that
// it likes alike the one offered first comes first. It is Identity when the client prefers that, or says nothing. x-gzip counts
// as gzip, and * as every coding that is not named.
func Negotiate(accept []string, offered ...Coding) Coding {
	quality := map[string]float64{}
	for _, line := range accept {
		for entry := range strings.SplitSeq(line, ",") {
			name, q, ok := weighted(entry)
			if ok {
				quality[name] = q
			}
		}
	}
	best, most := Identity, 0.0
	if q, ok := quality["identity"]; ok {
		most = q
	}
	for _, c := range offered {
		q, ok := quality[string(c)]
		if !ok {
			q = quality["*"]
		}
		if q > most || (q == most && q > 0 && best == Identity) {
			best, most = c, q
		}
	}
	return best
}

// weighted splits "gzip;q=0.5" into its name and weight. ok is false for a malformed entry, which
// is skipped.
func weighted(entry string) (name string, q float64, ok bool) {
	name, param, has := strings.Cut(entry, ";")
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "x-gzip" {
		name = "gzip"
	}
	if !has {
		return name, 1, name != ""
	}
	key, value, _ := strings.Cut(strings.TrimSpace(param), "=")
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return name, q, err == nil && strings.EqualFold(key, "q") && q >= 0 && q <= 1
}
