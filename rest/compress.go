package rest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// minCompressed is the size in bytes below which a body is sent as it is: it fits one packet.
const minCompressed = 1024

// coding is how a body is compressed on the wire, as Content-Encoding spells it.
type coding string

const (
	identity   coding = ""
	codingGzip coding = "gzip"
	codingZstd coding = "zstd"
)

// negotiate returns the coding that an Accept-Encoding asks for most (RFC 9110, section 12.5.3).
// Of two that it likes alike, zstd comes before gzip. It is identity when the client prefers
// that, or says nothing. x-gzip counts as gzip, and * as every coding that is not named.
func negotiate(accept []string) coding {
	quality := map[string]float64{}
	for _, line := range accept {
		for entry := range strings.SplitSeq(line, ",") {
			name, q, ok := weighted(entry)
			if ok {
				quality[name] = q
			}
		}
	}
	best, most := identity, 0.0
	if q, ok := quality["identity"]; ok {
		most = q
	}
	for _, c := range []coding{codingZstd, codingGzip} {
		q, ok := quality[string(c)]
		if !ok {
			q = quality["*"]
		}
		if q > most || (q == most && q > 0 && best == identity) {
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

// compressor packs whole bodies. It is safe for concurrent use. Whole bodies are packed at once:
// their length is known, so Content-Length can be sent. A general middleware for compression
// would neither tag each coding nor cache what it packed.
type compressor struct {
	// Pool of *gzip.Writer, as each has a window of its own.
	gzip sync.Pool
	// One encoder for all requests; EncodeAll may be called concurrently.
	zstd *zstd.Encoder
}

// newCompressor returns a compressor that prefers speed to size: bodies are small, and most are
// packed once and cached.
func newCompressor() (*compressor, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<17))
	if err != nil {
		return nil, fmt.Errorf("make zstd encoder: %w", err)
	}
	return &compressor{zstd: z}, nil
}

// pack appends body, compressed in coding to, to dst.
func (c *compressor) pack(dst, body []byte, to coding) ([]byte, error) {
	if to == codingZstd {
		return c.zstd.EncodeAll(body, dst), nil
	}
	w, ok := c.gzip.Get().(*gzip.Writer)
	if !ok {
		var err error
		if w, err = gzip.NewWriterLevel(nil, gzip.BestSpeed); err != nil {
			return nil, fmt.Errorf("make gzip encoder: %w", err)
		}
	}
	defer c.gzip.Put(w)
	out := bytes.NewBuffer(dst)
	w.Reset(out)
	if _, err := w.Write(body); err != nil {
		return nil, fmt.Errorf("gzip body: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("gzip body: %w", err)
	}
	return out.Bytes(), nil
}
