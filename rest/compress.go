package rest

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"rollcall/internal/coding"
)

// minCompressed is the size in bytes below which a body is sent as it is: it fits one packet.
const minCompressed = 1024

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
func (c *compressor) pack(dst, body []byte, to coding.Coding) ([]byte, error) {
	if to == coding.Zstd {
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
