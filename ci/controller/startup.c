/* Vector table and start of a Cortex-M4 or M7 under qemu: floating point on, then newlib's own start. */
#include <stdint.h>

extern uint32_t stack_top;
void _start(void);

void reset(void)
{
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; /* CPACR: coprocessors 10 and 11 */
    __asm volatile("dsb\n isb");
    _start();
}

/* Asked for by newlib; there is nothing to be done before or after. */
void _init(void)
{
}

void _fini(void)
{
}

static void stop(void)
{
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))&stack_top, reset, stop, stop, stop, stop, stop,
};
