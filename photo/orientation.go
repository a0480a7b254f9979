package photo

import (
	"encoding/binary"
	"image"
)

// orientation reads the tag of EXIF that says how to turn a picture upright: 1 to 8, and 1 if there is none that can be
// read. A broken EXIF is no reason to refuse a picture.
func orientation(exif []byte) int {
	var order binary.ByteOrder
	switch {
	case has(exif, 0, "II*\x00"):
		order = binary.LittleEndian
	case has(exif, 0, "MM\x00*"):
		order = binary.BigEndian
	default:
		return 1
	}
	if len(exif) < 8 {
		return 1
	}
	at := int64(order.Uint32(exif[4:]))
	if at+2 > int64(len(exif)) {
		return 1
	}
	entries := exif[at+2:]
	for range order.Uint16(exif[at:]) {
		if len(entries) < 12 {
			break
		}
		const tag, short = 0x0112, 3
		if order.Uint16(entries) == tag && order.Uint16(entries[2:]) == short {
			if o := int(order.Uint16(entries[8:])); o >= 1 && o <= 8 {
				return o
			}
			break
		}
		entries = entries[12:]
	}
	return 1
}

// upright turns and mirrors a picture as its orientation says.
func upright(from *image.RGBA, orientation int) *image.RGBA {
	if orientation == 1 {
		return from
	}
	w, h := from.Rect.Dx(), from.Rect.Dy()
	right, bottom := w-1, h-1
	if orientation >= 5 {
		w, h = h, w
	}
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var fx, fy int
			switch orientation {
			case 2:
				fx, fy = right-x, y
			case 3:
				fx, fy = right-x, bottom-y
			case 4:
				fx, fy = x, bottom-y
			case 5:
				fx, fy = y, x
			case 6:
				fx, fy = y, bottom-x
			case 7:
				fx, fy = right-y, bottom-x
			default:
				fx, fy = right-y, x
			}
			copy(to.Pix[to.PixOffset(x, y):][:4], from.Pix[from.PixOffset(fx, fy):][:4])
		}
	}
	return to
}
