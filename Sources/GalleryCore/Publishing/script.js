(function () {
  'use strict';
  var root = document.documentElement;
  var saved = null;
  try { saved = localStorage.getItem('gallery-theme'); } catch (error) { saved = null; }
  // Before the first paint; the switch below takes over from it.
  if (saved) { root.dataset.theme = saved; }

  function go(rel) {
    var link = document.querySelector('a[rel=' + rel + ']');
    if (link) { link.click(); }
    return Boolean(link);
  }

  function step(distance) {
    var links = Array.prototype.slice.call(document.querySelectorAll('main > ul a'));
    var link = links[links.indexOf(document.activeElement) + distance];
    if (link) { link.focus(); }
    return Boolean(link);
  }

  document.addEventListener('DOMContentLoaded', function () {
    document.querySelectorAll('input[name=theme]').forEach(function (choice) {
      if (choice.value === saved) { choice.checked = true; }
      choice.addEventListener('change', function () {
        try { localStorage.setItem('gallery-theme', choice.value); } catch (error) { saved = null; }
      });
    });
    delete root.dataset.theme;
  });

  document.addEventListener('keydown', function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
    if (event.target.tagName === 'INPUT') { return; }
    var isPhoto = document.body.className === 'photo';
    var isDone = false;
    if (event.key === 'ArrowLeft') { isDone = isPhoto ? go('prev') : step(-1); }
    if (event.key === 'ArrowRight') { isDone = isPhoto ? go('next') : step(1); }
    if (event.key === 'Escape' && isPhoto) { isDone = go('up'); }
    if (isDone) { event.preventDefault(); }
  });

  var start = null;
  document.addEventListener('touchstart', function (event) {
    var zoomed = window.visualViewport && window.visualViewport.scale > 1.05;
    start = event.touches.length === 1 && !zoomed ? event.touches[0] : null;
  }, { passive: true });
  document.addEventListener('touchend', function (event) {
    if (!start || document.body.className !== 'photo') { return; }
    var across = event.changedTouches[0].clientX - start.clientX;
    var down = event.changedTouches[0].clientY - start.clientY;
    start = null;
    if (Math.abs(across) > 60 && Math.abs(across) > 2 * Math.abs(down)) { go(across > 0 ? 'prev' : 'next'); }
  }, { passive: true });
})();
