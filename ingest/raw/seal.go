package raw

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"rollcall/internal/aead"
)

// Seal compresses and encrypts what only operators may read: raw documents and quarantined rows
// (zstd, then AES-256-GCM with a random nonce in front).
type Seal struct {
	aead cipher.AEAD
	mac  []byte
	pack *zstd.Encoder
	open *zstd.Decoder
}

// maxUnsealed bounds what one encrypted chunk unpacks to.
const maxUnsealed = 64 << 20

// NewSeal derives its key from the service's secret key, so that the secret itself encrypts nothing.
func NewSeal(secret []byte) (*Seal, error) {
	archive, err := aead.Derive(secret, "rollcall archive")
	if err != nil {
		return nil, fmt.Errorf("make archive cipher: %w", err)
	}
	mac, err := hkdf.Key(sha256.New, secret, nil, "rollcall quarantine", 32)
	if err != nil {
		return nil, fmt.Errorf("derive quarantine key: %w", err)
	}
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("make archive packer: %w", err)
	}
	open, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxUnsealed), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("make archive unpacker: %w", err)
	}
	return &Seal{aead: archive, mac: mac, pack: pack, open: open}, nil
}

// Close packs and encrypts plain bytes. about names what they belong to, and must be the same to open them.
func (s *Seal) Close(plain []byte, about string) []byte {
	//nolint:gosec // no nonce is given: this AEAD draws a random one and puts it in front
	return s.aead.Seal(nil, nil, s.pack.EncodeAll(plain, nil), []byte(about))
}

// Open returns the plain bytes of what Close encrypted.
func (s *Seal) Open(sealed []byte, about string) ([]byte, error) {
	packed, err := s.aead.Open(nil, nil, sealed, []byte(about))
	if err != nil {
		return nil, errors.New("decrypt archived bytes: another key, or damaged")
	}
	plain, err := s.open.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack archived bytes: %w", err)
	}
	return plain, nil
}

// Fingerprint returns a keyed hash of texts (HMAC-SHA-256). Without the key nothing about them can be found out by it.
func (s *Seal) Fingerprint(texts ...string) []byte {
	h := hmac.New(sha256.New, s.mac)
	for _, t := range texts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(t), t) // a hash takes every write
	}
	return h.Sum(nil)
}

// Chunks reads r in pieces of size and passes each to yield.
func Chunks(r io.Reader, size int, yield func(seq int, b []byte) error) error {
	b := make([]byte, size)
	for seq := 0; ; seq++ {
		n, err := io.ReadFull(r, b)
		if n > 0 {
			if err := yield(seq, b[:n]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
