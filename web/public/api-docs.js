// Adds to the API reference what a page without a script cannot do: a filter of its operations, and buttons that copy a call.
const field = document.querySelector('#filter');
if (field) {
  field.parentElement.hidden = false;
  const groups = [...document.querySelectorAll('nav > ul > li')];
  field.addEventListener('input', () => {
    const words = field.value.trim().toLowerCase().split(/\s+/);
    for (const group of groups) {
      let shown = 0;
      for (const item of group.querySelectorAll('li')) {
        const text = `${group.firstChild.textContent} ${item.textContent} ${item.dataset.path}`.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
        if (!item.hidden) shown++;
      }
      group.hidden = shown === 0 && field.value.trim() !== '';
    }
  });
}
for (const call of document.querySelectorAll('.curl')) {
  const button = call.querySelector('button');
  button.hidden = !navigator.clipboard;
  const say = (text) => {
    button.textContent = text;
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  };
  button.addEventListener('click', () => {
    const command = call.querySelector('code').textContent.replaceAll('$WAYBILL', location.origin);
    navigator.clipboard.writeText(command).then(
      () => say('Copied'),
      () => say('Not copied'),
    );
  });
}
